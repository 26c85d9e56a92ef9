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
  package let outcome: Outcome
  /// All that was found in the content, if it was looked at.
  package let findings: [Finding]
  /// The manifest as it is in the folder, if its version is to be raised.
  let manifest: [UInt8]?

  /// What is published of it; nil if nothing is.
  package var publication: Publisher.Publication? {
    if case .published(let publication) = outcome { publication } else { nil }
  }

  /// The version that the folder is raised to; nil if it is not.
  package var raisedVersion: ContentVersion? {
    manifest == nil ? nil : publication?.package.info.contentVersion
  }
}
