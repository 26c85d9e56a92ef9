#if COMMAND_LINE_TOOL
package import ContentPackage
import Support

/// Checks that a package does not publish withdrawn content again under a higher version.
package struct WithdrawnContent: Sendable {
  private let reader: StoreReader
  private let catalog: Catalog?
  private let channel: Channel

  /// Reads the catalog.
  ///
  /// - Throws: `PublishingError`, `IntegrityError`, `StoreError`.
  package init(of change: CatalogChange, in channel: Channel, isDryRun: Bool) throws {
    reader = change.reader
    catalog = try change.current(isDryRun: isDryRun)?.catalog
    self.channel = channel
  }

  /// Returns the finding about a package that has the content of the highest version, if this version is withdrawn;
  /// otherwise nil. `PublicationRules` checks packages whose version is not higher.
  ///
  /// - Throws: `IntegrityError`, `StoreError`, `SourceError`. A damaged index is not an error, because it must not
  ///   prevent a release.
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
  /// Returns the finding about content without differences from this release, if the release is withdrawn; otherwise
  /// nil.
  func withdrawalFinding(countingDifferences count: (Release) throws -> Int) rethrows -> Finding? {
    guard let withdrawn, try count(self) == 0 else { return nil }
    return Finding(
      .versionAlreadyPublished, at: PackageLayout.manifest,
      "the content is identical to version \(contentVersion), which was withdrawn: \(withdrawn)",
      remedy: "change the content, or restore the content of an earlier version")
  }
}
#endif
