package import ContentPackage

/// What becomes of a content folder that is to be released.
package struct FolderRelease: Sendable {
  package enum Outcome: Sendable {
    /// Its content is that of the newest release.
    case unchanged(Release)
    /// Its content differs, and its version is not above that of the newest release.
    case notRaised(Finding)
    case published(Publisher.Publication)
  }

  /// The folder, as it was given.
  package let folder: String
  /// What its manifest says.
  package let info: ContentInfo
  /// The newest release of the channel that is not withdrawn.
  package let newest: Release?
  /// How the folder differs from there; nil if there is none.
  package let difference: FolderDifference?
  package private(set) var outcome: Outcome
  /// All that was found in the content, if it was looked at.
  package let findings: [Finding]
  /// The manifest as it is in the folder, if its version is to be raised.
  let manifest: [UInt8]?

  init(
    folder: String, info: ContentInfo, newest: Release?, difference: FolderDifference?, outcome: Outcome,
    findings: [Finding], manifest: [UInt8]?
  ) {
    self.folder = folder
    self.info = info
    self.newest = newest
    self.difference = difference
    self.outcome = outcome
    self.findings = findings
    self.manifest = manifest
  }

  /// What is published of it; nil if nothing is.
  package var publication: Publisher.Publication? {
    if case .published(let publication) = outcome { publication } else { nil }
  }

  /// The same release once the catalog has its publication.
  func committed(as publication: Publisher.Publication) -> FolderRelease {
    var release = self
    release.outcome = .published(publication)
    return release
  }

  /// The version that the folder is raised to; nil if it is not.
  package var raisedVersion: ContentVersion? {
    manifest == nil ? nil : publication?.package.info.contentVersion
  }
}
