#if COMMAND_LINE_TOOL
import ContentPackage
import Synchronization

/// The objects of a store without a catalog.
struct StoreListing: Sendable {
  /// A file that does not belong to a store; nil if there is none.
  private(set) var unmanagedFile: String?
  /// The products with release lists.
  private(set) var products: Set<ProductIdentifier> = []
  private(set) var packages: Set<StorePath> = []

  init(_ items: [StoredItem]) {
    for item in items {
      guard let path = StorePath(item.path) else {
        unmanagedFile = unmanagedFile ?? item.path
        continue
      }
      if case .product(let product) = path.kind { products.insert(product) }
      if path.isPackage { packages.insert(path) }
    }
  }
}

/// A cache of the last catalog read, and of the listing of a store without one.
final class KnownCatalog: Sendable {
  private let last = Mutex<CurrentCatalog?>(nil)
  private let listing = Mutex<StoreListing?>(nil)

  /// Lists a store without a catalog, once. Later objects belong to other publishers, whose catalog this run cannot
  /// overwrite: it writes a catalog only if there is none.
  func listing(of store: any WritableStore) throws -> StoreListing {
    if let listing = listing.withLock(\.self) { return listing }
    let found = StoreListing(try store.list(""))
    listing.withLock { $0 = found }
    return found
  }

  /// Returns the current catalog, downloading it only if its tag has changed.
  func update(by reader: StoreReader) throws -> CurrentCatalog? {
    if let last = last.withLock(\.self), try reader.store.status(of: .catalog)?.tag == last.tag {
      return last
    }
    let current = try reader.catalog()
    last.withLock { $0 = current }
    return current
  }
}
#endif
