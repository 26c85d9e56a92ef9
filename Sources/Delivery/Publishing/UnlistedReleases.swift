package import ContentPackage

/// Releases whose packages a store has, and which its catalog does not list: of a catalog that was restored from a
/// backup, clients may have installed them.
package struct UnlistedReleases: Sendable {
  /// The releases, ordered by product and version.
  package let releases: [(product: ProductIdentifier, version: ContentVersion)]

  /// - Throws: `StoreError`, and `PublishingError.releasesLost` for an unreadable list.
  package init(of change: CatalogChange, in catalog: Catalog) throws {
    let packages = try change.store.list("releases/").compactMap { StorePath($0.path) }.filter(\.isPackage)
    let versions = Dictionary(grouping: packages) { $0.product }
    var releases: [(product: ProductIdentifier, version: ContentVersion)] = []
    for (product, paths) in versions.sorted(by: { $0.key?.text ?? "" < $1.key?.text ?? "" }) {
      guard let product else { continue }
      let listed = try change.reader.recordedReleases(of: product, in: catalog)
      for version in paths.compactMap(\.version).sorted() where !(listed?.hasKnown(version) ?? false) {
        guard releases.last?.product != product || releases.last?.version != version else { continue }
        releases.append((product, version))
      }
    }
    self.releases = releases
  }
}
