#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles

extension FolderReleaser {
  /// Compares a folder with its newest release.
  ///
  /// - Throws: The errors of `prepare`.
  func compare(
    _ folder: String, _ choices: FolderChoices
  ) throws -> (ComparedFolder, ComparedFolder.Next) {
    let source = try FolderSource.open(folder, choices, cancellation: context.cancellation)
    let review = try ContentReview(
      of: source, for: .pack, limits: context.limits, cancellation: context.cancellation)
    guard review.isReadable, let info = review.contentInfo else {
      throw PublishingError.invalid(path: folder, findings: review.findings)
    }
    let releases = ChannelReleases(
      try catalog.flatMap { try change.reader.recordedReleases(of: info.productIdentifier, in: $0) },
      in: options.channel)
    var changes: ChangeSummary?
    var isIndexLost = false
    do {
      changes = try self.changes(of: review, source, from: releases)
    } catch  where error.concernsObject {
      // A lost index does not prevent a higher version. With the same version, the packed folder restores the index.
      guard let highest = releases.highest, highest.contentVersion <= info.contentVersion else { throw error }
      isIndexLost = highest == releases.newest && highest.contentVersion == info.contentVersion
    }
    var compared = ComparedFolder(
      folder: folder, info: info, newest: releases.newest, changes: changes, leftOut: source.excluded)
    if isIndexLost {
      compared.lost = releases.newest?.index
      return (compared, .pack(source))
    }
    switch releases.decision(on: info.contentVersion, differenceCount: changes?.count) {
    case .unchanged(let newest):
      guard newest.contentVersion == info.contentVersion,
        try !change.reader.hasObject(newest.package)
      else { return (compared, .settled(.unchanged(newest))) }
      compared.lost = newest.package
      return (compared, .pack(source))
    case .new: return (compared, .pack(source))
    case .notRaised(let finding):
      guard options.raisesVersions, let version = releases.raisedVersion(from: info.contentVersion) else {
        return (compared, .refused(finding, source))
      }
      let raised = try source.withVersion(version, in: review)
      if let current = review.manifestBytes, let bytes = raised.manifest {
        compared.manifest = FolderRelease.Manifests(current: current, raised: bytes)
      }
      return (compared, .pack(raised))
    }
  }

  /// Returns the changes of a folder since the newest release; nil if there is none.
  ///
  /// - Throws: `PublishingError.invalid` if the folder is identical to the highest version, which was withdrawn.
  private func changes(
    of review: ContentReview, _ source: FolderSource, from releases: ChannelReleases
  ) throws -> ChangeSummary? {
    let cache = DigestCacheFile(of: source.path)
    let digests = try FolderDigests(
      of: review.items, in: source,
      knowing: options.usesCache ? cache?.read() ?? DigestCache() : DigestCache(),
      context)
    if !options.isDryRun, let remembered = digests.remembered(of: review.items, in: source) {
      cache?.write(remembered)
    }
    func differences(from release: Release) throws -> Differences {
      try ReleaseComparison(of: review, { digests[$0] }, from: release, by: change.reader).differences
    }
    if let finding = try releases.highest?.withdrawalFinding(
      countingDifferences: { try differences(from: $0).count })
    {
      throw PublishingError.invalid(path: source.path, findings: [finding])
    }
    return try releases.newest.map { try ChangeSummary(differences(from: $0)) }
  }
}
#endif
