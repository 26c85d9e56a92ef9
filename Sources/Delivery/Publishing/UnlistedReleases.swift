#if COMMAND_LINE_TOOL
package import ContentPackage

/// Releases that a catalog does not list, although its store has their packages or a key of the publisher remembers
/// them: of a store that was restored from a backup, clients may have installed them.
package struct UnlistedReleases: Sendable {
  /// The releases, ordered by product and version.
  package let releases: [(product: ProductIdentifier, version: ContentVersion)]

  /// - Throws: `StoreError`, and `PublishingError.releasesLost` for an unreadable list.
  package init(of change: CatalogChange, in catalog: Catalog) throws {
    var versions = change.rememberedReleases.mapValues { Set($0.keys) }
    for path in try change.store.writable().list("releases/").compactMap({ StorePath($0.path) }) {
      guard let product = path.product, let version = path.version else { continue }
      versions[product, default: []].insert(version.text)
    }
    releases = try versions.sorted { $0.key.text < $1.key.text }.flatMap { product, texts in
      let listed = try change.reader.recordedReleases(of: product, in: catalog)
      let versions = texts.compactMap { ContentVersion($0) }.sorted()
      return versions.filter { !(listed?.hasKnown($0) ?? false) }.map { (product, $0) }
    }
  }
}
#endif
