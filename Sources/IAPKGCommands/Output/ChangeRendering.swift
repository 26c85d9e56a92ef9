import ContentPackage
import SafeFiles

/// What `rollback` and `remove` say of what they did.
struct ChangeRendering {
  private let change: InstalledProducts.Change
  private let command: String
  private let documents: String
  private let isRehearsal: Bool

  init(_ change: InstalledProducts.Change, command: String, into documents: String, isRehearsal: Bool) {
    self.change = change
    self.command = command
    self.documents = documents
    self.isRehearsal = isRehearsal
  }

  private var path: String {
    DocumentsOptions.displayPath(of: change.productIdentifier.text, in: documents)
  }

  var document: ChangeDocument {
    ChangeDocument(
      command: command, path: path, productIdentifier: change.productIdentifier.text,
      contentVersion: Nullable(wrappedValue: change.after?.contentVersion),
      previousVersion: Nullable(wrappedValue: change.before?.contentVersion), dryRun: isRehearsal)
  }

  var line: String {
    let before = change.before?.contentVersion ?? "what iapkg did not install"
    let after = change.after?.contentVersion ?? "what iapkg did not install"
    let done =
      command == RemoveCommand.reportName ? "removed \(before)" : "put back \(after) in place of \(before)"
    return "\(path): \(isRehearsal ? "would have " : "")\(done)"
  }
}

/// What `rollback` and `remove` write.
struct ChangeDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command: String
  let path: String
  let productIdentifier: String
  /// The version that is installed now.
  @Nullable var contentVersion: String?
  @Nullable var previousVersion: String?
  let dryRun: Bool
}
