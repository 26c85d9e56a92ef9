#if COMMAND_LINE_TOOL
package import ContentPackage

/// The release of a content folder.
package struct FolderRelease: Sendable {
  /// The result of releasing a folder.
  package enum Outcome: Sendable {
    /// The content is identical to that of the newest release, and no higher version was withdrawn.
    case unchanged(Release)
    /// The content cannot be published under its version, which must be raised.
    case notRaised(Finding)
    /// The publication: planned in a dry run, uploaded, or committed to the catalog.
    case published(Publisher.Publication)
  }

  /// The path of the folder as the caller specified it.
  package let folder: String
  /// The identity in the folder's manifest.
  package let info: ContentInfo
  /// The newest release of the channel that was not withdrawn; nil if there is none.
  package let newest: Release?
  /// The differences from `newest`; nil if there is none.
  package let changes: ChangeSummary?
  package private(set) var outcome: Outcome
  /// The findings in the content; empty if it was not checked.
  package let findings: [Finding]
  /// The items that the settings exclude.
  package let leftOut: ExcludedItems
  /// Whether the newest release, whose content is identical, keeps properties other than those given.
  private let newestKeepsOtherProperties: Bool
  /// Whether the published release keeps properties other than those given.
  package var keepsOtherProperties: Bool {
    newestKeepsOtherProperties || publication?.keepsOtherProperties ?? false
  }
  /// The manifests of the folder, if its version is to be raised.
  let manifest: Manifests?

  /// The bytes of a manifest before and after its version is raised.
  struct Manifests: Sendable {
    let current: [UInt8]
    let raised: [UInt8]
  }

  init(
    folder: String, info: ContentInfo, newest: Release?, changes: ChangeSummary?, outcome: Outcome,
    findings: [Finding], leftOut: ExcludedItems, manifest: Manifests?, newestKeepsOtherProperties: Bool
  ) {
    self.folder = folder
    self.info = info
    self.newest = newest
    self.changes = changes
    self.outcome = outcome
    self.findings = findings
    self.leftOut = leftOut
    self.manifest = manifest
    self.newestKeepsOtherProperties = newestKeepsOtherProperties
  }

  /// The publication; nil if nothing is published.
  package var publication: Publisher.Publication? {
    if case .published(let publication) = outcome { publication } else { nil }
  }

  /// Returns the release with its uploaded or committed publication.
  func with(_ publication: Publisher.Publication) -> FolderRelease {
    var release = self
    release.outcome = .published(publication)
    return release
  }

  /// The version to which the folder is raised; nil if the folder keeps its version.
  package var raisedVersion: ContentVersion? {
    manifest == nil ? nil : publication?.package.info.contentVersion
  }
}
#endif
