import ContentPackage
import Installation
import SafeFiles
import ZipArchive

/// The report of `rollback` and `remove`.
struct ChangeRendering {
  private let change: InstalledProducts.Change
  private let command: String
  private let documents: String
  private let isDryRun: Bool

  init(_ change: InstalledProducts.Change, command: String, into documents: String, isDryRun: Bool) {
    self.change = change
    self.command = command
    self.documents = documents
    self.isDryRun = isDryRun
  }

  private var path: String {
    DocumentsOptions.displayPath(of: change.productIdentifier.text, in: documents)
  }

  var document: ChangeDocument {
    ChangeDocument(
      command: command, path: path, productIdentifier: change.productIdentifier.text,
      contentVersion: Nullable(wrappedValue: change.after?.contentVersion.text),
      previousVersion: Nullable(wrappedValue: change.before?.contentVersion.text), dryRun: isDryRun,
      modified: change.modified.isEmpty ? nil : Listing(change.modified, \.escaped),
      kept: change.after == nil && change.kept.isEmpty ? nil : Listing(change.kept, \.self),
      deleted: change.after == nil ? Listing(change.deleted, \.self) : nil)
  }

  /// Prints a sentence about the product, and a line for each path.
  func write(_ layout: TextLayout, to print: (String) -> Void) {
    let before = change.before?.contentVersion.text
    let done =
      change.after.map { "restored \($0.contentVersion) in place of \(before ?? "")" }
      ?? before.map { "removed \($0)" } ?? "completed an interrupted removal"
    layout.sentence(in: ["\(path): \(isDryRun ? "would have " : "")\(done)"]).forEach(print)
    let head = LocatedPaths.lineHead + (isDryRun ? "to be " : "")
    change.modified.linesOfModified(
      keptIn: "the previous version", layout: change.layout, isDryRun: isDryRun
    ).forEach(print)
    for path in change.kept { print("\(head)kept: \(path)") }
    for path in change.deleted { print("\(head)deleted: \(path)") }
  }
}

/// The JSON report of `rollback` and `remove`.
struct ChangeDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command: String
  let path: String
  let productIdentifier: String
  /// The version installed after the change.
  @Nullable var contentVersion: String?
  @Nullable var previousVersion: String?
  let dryRun: Bool
  /// Paths of files of the replaced version that were modified after its installation; absent if there are none.
  let modified: Listing<String>?
  /// Paths of kept files that iapkg did not install, or that were modified; absent for `remove` if there are none.
  let kept: Listing<String>?
  /// Paths of deleted files that iapkg did not install, or that were modified; for `remove` only.
  let deleted: Listing<String>?
}
