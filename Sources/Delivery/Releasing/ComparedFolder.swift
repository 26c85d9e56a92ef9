#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles

/// The result of comparing a content folder with its newest release.
struct ComparedFolder {
  let folder: String
  let info: ContentInfo
  let newest: Release?
  let changes: ChangeSummary?
  let leftOut: ExcludedItems
  /// The manifests of the folder, if its version is to be raised.
  var manifest: FolderRelease.Manifests?
  /// The missing or damaged object of the newest release, which the packed folder must restore; nil for none.
  var lost: ObjectReference?

  /// The next step for the folder.
  enum Next {
    case settled(FolderRelease.Outcome)
    /// The folder must be packed. Holds the only reference to the item names, so that packing can free them.
    case pack(FolderSource)
    /// The version must be raised; the content is only checked.
    case refused(Finding, FolderSource)
  }

  func release(
    _ outcome: FolderRelease.Outcome, findings: [Finding] = [],
    keepingOtherProperties newestKeepsOtherProperties: Bool = false
  ) -> FolderRelease {
    FolderRelease(
      folder: folder, info: info, newest: newest, changes: changes, outcome: outcome,
      findings: findings, leftOut: leftOut, manifest: manifest,
      newestKeepsOtherProperties: newestKeepsOtherProperties)
  }
}
#endif
