#if COMMAND_LINE_TOOL
package import ContentPackage
import Support

/// Releases that a catalog does not list, although its store has their packages or a key of the publisher remembers
/// them. If the store was restored from a backup, clients may have installed them.
package struct UnlistedReleases: Sendable {
  /// A version of a product.
  package typealias Item = (product: ProductIdentifier, version: ContentVersion)

  /// The releases, ordered by product and version, without those in `withdrawn`.
  package let releases: [Item]
  /// The withdrawn releases, which must not be published again, ordered in the same way.
  package let withdrawn: [Item]
  /// Listed releases whose withdrawals were lost or undone, ordered in the same way.
  package let revoked: [Item]
  /// The products that the catalog lacks and that have no known release, ordered by identifier.
  package let products: [ProductIdentifier]

  /// Finds the releases that the catalog lacks.
  ///
  /// - Throws: `StoreError`, and `PublishingError.releasesLost` for an unreadable list.
  package init(of change: CatalogChange, in catalog: Catalog) throws {
    let remembered = change.rememberedReleases
    var versions = remembered.mapValues { Set($0.keys) }
    for path in try change.store.writable().list("releases/").compactMap({ StorePath($0.path) }) {
      guard path.isPackage, let product = path.product, let version = path.version else { continue }
      versions[product, default: []].insert(version.text)
    }
    let withdrawals = try remembered.mapValues { Set($0.filter(\.value.isWithdrawn).keys) }
      .merging(Self.withdrawn(in: change)) { $0.union($1) }
    var (unlisted, withdrawn, revoked): ([Item], [Item], [Item]) = ([], [], [])
    for product in Set(versions.keys).union(withdrawals.keys).sorted(by: { $0.text < $1.text }) {
      let listed = try change.reader.recordedReleases(of: product, in: catalog)
      let (known, withdrawnTexts) = (versions[product] ?? [], withdrawals[product] ?? [])
      func select(_ texts: Set<String>, _ isWanted: (ContentVersion) -> Bool) -> [Item] {
        texts.compactMap { ContentVersion($0) }.sorted().filter(isWanted).map { (product, $0) }
      }
      func isUnlisted(_ version: ContentVersion) -> Bool { !(listed?.hasEverReleased(version) ?? false) }
      unlisted += select(known.subtracting(withdrawnTexts), isUnlisted)
      withdrawn += select(known.intersection(withdrawnTexts), isUnlisted)
      revoked += select(withdrawnTexts) { version in
        listed?.release(version).map { $0.withdrawn == nil } ?? false
      }
    }
    (releases, self.withdrawn, self.revoked) = (unlisted, withdrawn, revoked)
    products = Set(change.memories.flatMap(\.lists.keys))
      .filter { catalog.products[$0] == nil && versions[$0] == nil }.sorted { $0.text < $1.text }
  }

  /// Returns the texts of the versions that any release list in the store withdraws. Ignores damaged lists.
  private static func withdrawn(in change: CatalogChange) throws -> [ProductIdentifier: Set<String>] {
    var withdrawn: [ProductIdentifier: Set<String>] = [:]
    for item in try change.store.writable().list("products/") {
      guard let path = StorePath(item.path), case .product(let product) = path.kind, let digest = path.digest,
        item.byteCount <= DocumentLimits.maximumProductBytes
      else { continue }
      try change.cancellation.check()
      let list = ObjectReference(path: path, byteCount: item.byteCount, digest: digest)
      let releases = try change.reader.listedReleases(in: list, of: product)?.releases ?? []
      let texts = releases.filter { $0.withdrawn != nil }.map(\.contentVersion.text)
      withdrawn[product, default: []].formUnion(texts)
    }
    return withdrawn
  }
}
#endif
