import ContentPackage
import Delivery
import Settings
import Support

/// The content that inputs are compared with.
struct Baseline {
  /// The older content for one input.
  enum Content {
    /// A package or content folder.
    case published(String)
    case store(StoreReader, Channel)
  }

  private enum Kind {
    case published(String)
    case products(ProductInputs)
    case store(StoreReader, Channel?)
  }

  private let kind: Kind
  /// Why some of what is compared with could not be read.
  let errors: [CommandError]

  /// The releases of a channel of a store; of the channel that the settings of an input name unless one is given.
  init(store reader: StoreReader, channel: Channel?) {
    kind = .store(reader, channel)
    errors = []
  }

  /// The content at `path`, or the products that lie in a folder there.
  init(published path: String, _ products: ProductInputs?) {
    kind = products.map(Kind.products) ?? .published(path)
    errors = products?.errors ?? []
  }

  /// What an input is compared with; nil for a product that is not among what was published.
  ///
  /// - Throws: `SettingsError`, `CommandError` for a channel that the settings name and that is none.
  func content(
    for path: String, _ settings: FolderSettings?, _ cancellation: Cancellation
  ) throws -> Content? {
    switch kind {
    case .published(let published): return .published(published)
    case .products(let products):
      // Of what has no identity its review tells.
      let product = try? ProductInputs.info(of: path, cancellation)?.productIdentifier
      return product.flatMap { products.inputs[$0] }.map { .published($0.path) }
    case .store(let reader, let channel):
      let kept = try settings.flatMap { try TargetSettings(of: [$0]).channel() }
      return .store(reader, channel ?? kept ?? .stable)
    }
  }
}
