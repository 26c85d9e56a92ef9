/// The JSON report of `release`, with the keys of `publish` and others for every folder.
struct ReleaseDocument: ReportDocument {
  struct Product: Encodable {
    let folder: String
    @Nullable var productIdentifier: String?
    @Nullable var contentVersion: String?
    /// `published`, `already-published`, `unchanged`, `not-raised`, `failed`, or with `--dry-run` `would-publish`.
    var outcome = "failed"
    var uploadedBytes: Int64 = 0
    /// The paths of missing or damaged objects that were uploaded again, or would be with `--dry-run`.
    var restored: [String] = []
    /// The path of the package in the store.
    @Nullable var path: String?
    /// The newest release before this one.
    @Nullable var previousVersion: String?
    /// The download size of an update from the previous version, in bytes.
    @Nullable var updateBytes: Int64?
    /// The rollout that begins with the publication; null for a release for all clients.
    @Nullable var rollout: RolloutDocument.Rollout?
    /// The folder's earlier version; null if it was not raised.
    @Nullable var raisedFrom: String?
    /// The version in an unchanged folder; absent if it is that of the newest release.
    var folderVersion: String?
    /// The differences from the newest release; null if there is no release.
    @Nullable var changes: Changes?
    var leftOut: LeftOutDocument?
    /// Absent if the folder did not fail.
    var error: ErrorDocument.Reason?

    init(folder: String) { self.folder = folder }
  }

  /// Counts of files, links and empty folders.
  struct Changes: Encodable {
    let added: Int
    let removed: Int
    let changed: Int
  }

  let schemaVersion = reportSchemaVersion
  let command = "release"
  let store: String
  @Nullable var sequence: Int64?
  let published: [Product]
  let findings: [FindingDocument]
  /// The suppressed errors, which installers refuse.
  let ignored: [SuppressionDocument]
  /// The settings files of other users, which are not read; absent if there are none.
  let skippedSettings: [String]?
}
