import ContentPackage
import Delivery
import Settings
import Support

/// The published content that inputs are compared with.
struct BaselineSource {
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
  /// The errors of baseline products that could not be read.
  let errors: [CommandError]

  /// Creates a baseline of a store's releases in `channel`, or in the channel from each input's settings if nil.
  init(store reader: StoreReader, channel: Channel?) {
    kind = .store(reader, channel)
    errors = []
  }

  /// Creates a baseline of the content at `path`, or of the products in that folder.
  init(published path: String, _ products: ProductInputs?) {
    kind = products.map(Kind.products) ?? .published(path)
    errors = products?.errors ?? []
  }

  /// Returns the older content for one input; nil for a product that was not published. `source` is the input if it is
  /// already open, because standard input can be read only once.
  func content(
    for path: String, opened source: (any ContentSource)? = nil, _ settings: FolderSettings?,
    _ cancellation: Cancellation
  ) -> Content? {
    switch kind {
    case .published(let published): return .published(published)
    case .products(let products):
      // The review of an input reports a missing identity.
      let product = try? ProductInputs.info(of: path, opened: source, cancellation)?.productIdentifier
      return product.flatMap { products.inputs[$0] }.map { .published($0.path) }
    case .store(let reader, let channel):
      return .store(reader, channel ?? settings?.channel?.value ?? .stable)
    }
  }
}
