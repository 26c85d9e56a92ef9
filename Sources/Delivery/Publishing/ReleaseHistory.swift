#if COMMAND_LINE_TOOL
package import ContentPackage
import Support

/// The releases of a product, and the sizes of the updates between consecutive ones.
package struct ReleaseHistory: Sendable {
  /// A release, and the update from its predecessor.
  package struct Step: Sendable {
    /// The release as listed.
    package let release: Release
    /// The next lower version in any channel of the release; nil if there is none.
    package let previousVersion: ContentVersion?
    /// The bytes of an update from `previousVersion`; nil if there is none.
    package let updateBytes: Int64?
    /// The notes in all languages.
    package let notes: [ReleaseNotes]
  }

  /// The product.
  package let productIdentifier: ProductIdentifier
  /// Ordered from the newest version to the oldest.
  package let steps: [Step]

  /// The maximum total size in bytes of the indexes in memory at a time, unless a single index is larger.
  private static let capacity = 32 << 20

  /// Reads the indexes and notes of the releases in a listing, but no packages.
  ///
  /// - Returns: The history of each product, in the order of the listing.
  /// - Throws: `IntegrityError` if an index or notes are missing or damaged; `StoreError`, `FileError`, `Interruption`.
  package static func histories(
    of listing: CatalogListing, by reader: StoreReader, _ context: WorkContext
  ) throws -> [ReleaseHistory] {
    let products = listing.products
    context.progress.begin(
      .comparing, reader.store.name, totalBytes: products.reduce(0) { $0 + indexBytes($1.releases) })
    var histories: [ReleaseHistory] = []
    try OrderedWork.run(
      count: products.count, jobs: StoreVerifier.jobs, capacity: capacity,
      weight: { index in Int(clamping: products[index].releases.map(\.indexByteCount).max() ?? 0) },
      makeWork: {
        { try ReleaseHistory(of: products[$0], by: reader, context) }
      },
      receive: { histories.append($1) })
    return histories
  }

  private static func indexBytes(_ releases: [Release]) -> Int64 {
    releases.reduce(0) { $0 + $1.indexByteCount }
  }

  private init(of product: ProductReleases, by reader: StoreReader, _ context: WorkContext) throws {
    productIdentifier = product.productIdentifier
    var previous: [Channel: (version: ContentVersion, digests: FileDigests)] = [:]
    var steps: [Step] = []
    for release in product.releases.reversed() {
      try context.cancellation.check()
      let content = try ReleaseContent(of: release, by: reader)
      let before = release.channels.compactMap { previous[$0] }.max { $0.version < $1.version }
      steps.append(
        Step(
          release: release, previousVersion: before?.version,
          updateBytes: before.map {
            $0.digests.updateBytes(to: content.entries, content.index.head)
          }, notes: try release.notes.map { try reader.text(of: $0) }))
      let digests = FileDigests(of: content)
      for channel in release.channels { previous[channel] = (release.contentVersion, digests) }
      context.progress.advance(by: release.indexByteCount)
    }
    self.steps = steps.reversed()
  }
}
#endif
