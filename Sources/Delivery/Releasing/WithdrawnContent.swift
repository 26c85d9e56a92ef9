#if COMMAND_LINE_TOOL
package import ContentPackage
import Support

/// The check that a package does not publish withdrawn content again under a higher version.
package struct WithdrawnContent: Sendable {
  private let reader: StoreReader
  private let catalog: Catalog?
  private let channel: Channel

  /// Reads the catalog.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`.
  package init(of change: CatalogChange, in channel: Channel, isRehearsal: Bool) throws {
    reader = change.reader
    catalog = try change.current(isRehearsal: isRehearsal)?.catalog
    self.channel = channel
  }

  /// Returns the finding about a package with the content of the highest version, which was withdrawn; nil for other
  /// content. `PublicationRules` judges a version that is not higher.
  ///
  /// - Throws: `IntegrityError`, `StoreError`, `SourceError`; not for a damaged index, which does not prevent a release.
  func finding(for review: ContentReview, _ info: ContentInfo, _ digests: [SHA256Digest]) throws -> Finding? {
    let releases = try catalog.flatMap { try reader.recordedReleases(of: info.productIdentifier, in: $0) }
    guard let highest = releases?.newest(in: channel, withdrawn: true),
      highest.contentVersion < info.contentVersion
    else { return nil }
    let items = review.items
    do {
      return try highest.withdrawalFinding {
        try ReleaseComparison(of: review, { items[$0].digest(in: digests) }, from: $0, by: reader)
          .differences.count
      }
    } catch  where error.concernsObject {
      return nil
    }
  }
}

extension Release {
  /// Returns the finding about content that equals this release, if it was withdrawn; nil for other content.
  func withdrawalFinding(countingDifferences count: (Release) throws -> Int) rethrows -> Finding? {
    guard let withdrawn, try count(self) == 0 else { return nil }
    return Finding(
      .versionAlreadyPublished, at: PackageLayout.manifest,
      "the content is that of version \(contentVersion), which was withdrawn: \(withdrawn)",
      remedy: "change the content, or put back that of an earlier version")
  }
}
#endif
