/// What `release` writes: what `publish` does, for every folder.
struct ReleaseDocument: ReportDocument {
  struct Product: Encodable {
    let folder: String
    @Nullable var productIdentifier: String?
    @Nullable var contentVersion: String?
    /// `published`, `already-published`, `unchanged`, `not-raised`, `failed`, or with `--dry-run` `would-publish`.
    var outcome = "failed"
    var uploadedBytes: Int64 = 0
    /// Of the package in the store.
    @Nullable var path: String?
    /// The newest release before.
    @Nullable var previousVersion: String?
    /// What an update from there downloads.
    @Nullable var updateBytes: Int64?
    /// The version that the folder had; null if it was not raised.
    @Nullable var raisedFrom: String?
    /// How the folder differs from the newest release; null if there is none.
    @Nullable var changes: Changes?
    /// Absent if nothing failed.
    var error: ErrorDocument.Reason?

    init(folder: String) { self.folder = folder }
  }

  /// Numbers of files, links and empty folders.
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
}
