import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The report of `extract`.
struct ExtractRendering {
  private let result: PackageInstaller.Result
  private let documents: String
  private let isRehearsal: Bool
  private let findings: [Finding]

  init(_ result: PackageInstaller.Result, into documents: String, isRehearsal: Bool, findings: [Finding]) {
    self.result = result
    self.documents = documents
    self.isRehearsal = isRehearsal
    self.findings = findings
  }

  private var product: String { result.report.productIdentifier?.text ?? "" }
  private var version: String { result.report.contentVersion?.text ?? "" }
  private var installedPath: String { DocumentsOptions.displayPath(of: product, in: documents) }

  var document: ExtractDocument {
    ExtractDocument(
      path: String(displaying: result.report.path.utf8), outcome: outcome, productIdentifier: product,
      contentVersion: version, previousVersion: Nullable(wrappedValue: result.previousVersion),
      installedPath: installedPath, entries: result.report.entries,
      archiveBytes: result.report.archiveBytes ?? 0, contentBytes: result.report.contentBytes,
      files: result.files, repaired: repaired, added: result.changes.map { Listing($0.added, \.escaped) },
      changed: result.changes.map { Listing($0.changed, \.escaped) },
      removed: result.changes.map { Listing($0.removed, \.escaped) },
      modified: modified.isEmpty ? nil : modified, kept: result.kept,
      findings: findings.map(FindingDocument.init))
  }

  var lines: [String] {
    switch result.outcome {
    case .upToDate:
      return ["\(installedPath): \(product) \(result.previousVersion ?? version) is already installed"]
    case .repaired(let places):
      return ["\(installedPath): repaired \(product) \(version), \(Quantity.count(places.count, "item"))"]
        + places.map { "  \($0.escaped)" }
    default:
      let before = result.previousVersion.map { " in place of \($0)" } ?? ""
      let size = "\(Quantity.count(result.files, "file")), \(Quantity.bytes(result.report.contentBytes))"
      let verb = isRehearsal ? "would install" : "installed"
      return ["\(installedPath): \(verb) \(product) \(version)\(before), \(size)"] + changes
        + modified.map { "  modified, and \(isRehearsal ? "to be " : "")kept in the previous version: \($0)" }
        + result.kept.map { "  not installed by iapkg, and \(isRehearsal ? "to be " : "")kept: \($0)" }
    }
  }

  /// The changes of a dry run, with a line for each path.
  private var changes: [String] {
    guard let changes = result.changes else { return [] }
    return changes.added.map { "  + \($0.escaped)" } + changes.changed.map { "  ~ \($0.escaped)" }
      + changes.removed.map { "  - \($0.escaped)" }
  }

  private var modified: [String] { result.replacedModified.map(\.escaped) }

  private var repaired: [String]? {
    guard case .repaired(let places) = result.outcome else { return nil }
    return places.map(\.escaped)
  }

  private var outcome: String {
    switch result.outcome {
    case .upToDate: "up-to-date"
    case .repaired: "repaired"
    default: isRehearsal ? "would-install" : "installed"
    }
  }
}
