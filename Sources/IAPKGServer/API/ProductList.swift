import ContentPackage
import Delivery
import NIOPosix
import Support
import Synchronization

/// The list of products that the catalog has, made anew when the catalog changes.
final class ProductList: Sendable {
  /// The document, and its tag.
  struct Document: Sendable {
    let bytes: [UInt8]
    let tag: String
    /// nil without a catalog.
    fileprivate let catalog: ObjectTag?
    fileprivate let checked: ContinuousClock.Instant

    /// Whether anything was ever published.
    var hasCatalog: Bool { catalog != nil }
  }

  /// How long a catalog is believed not to have changed.
  private static let freshness = Duration.seconds(2)

  private let reader: StoreReader
  private let known = Mutex<Document?>(nil)

  init(_ store: any Store) { reader = StoreReader(store) }

  /// The list as it is now.
  ///
  /// - Throws: `Problem` with `.unavailable` if the store cannot be read.
  func current() async throws -> Document {
    if let document = known.withLock(\.self), .now - document.checked < Self.freshness { return document }
    do {
      return try await NIOThreadPool.singleton.runIfActive { try self.read() }
    } catch {
      throw Problem(.unavailable, "the store cannot be read")
    }
  }

  private func read() throws -> Document {
    guard let current = try reader.catalog() else {
      return keep(Document(bytes: Self.bytes([]), tag: "\"none\"", catalog: nil, checked: .now))
    }
    if let document = known.withLock(\.self), document.catalog == current.tag {
      return keep(
        Document(bytes: document.bytes, tag: document.tag, catalog: current.tag, checked: .now))
    }
    let products = try current.catalog.products.keys.sorted { $0.text < $1.text }.compactMap { product in
      try reader.releases(of: product, in: current.catalog)
    }
    let bytes = Self.bytes(products)
    let tag = "\"\(SHA256Digest(of: bytes).hexadecimal.prefix(32))\""
    return keep(Document(bytes: bytes, tag: tag, catalog: current.tag, checked: .now))
  }

  private func keep(_ document: Document) -> Document {
    known.withLock { $0 = document }
    return document
  }

  private static func bytes(_ products: [ProductReleases]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.key("products")
      $0.array { list in
        for product in products {
          guard let version = product.headline, let release = product.release(version) else { continue }
          list.object {
            $0.member("productId", product.productIdentifier.text)
            $0.member("contentVersion", release.contentVersion.text)
            $0.member("packageBytes", release.package.byteCount)
            $0.member("contentBytes", release.contentBytes)
            $0.member("files", release.files)
          }
        }
      }
    }
    return writer.line()
  }
}
