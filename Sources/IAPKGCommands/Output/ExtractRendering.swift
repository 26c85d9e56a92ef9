import ContentPackage
import SafeFiles

/// What `extract` says of an installation.
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
  private var installedPath: String { String(displaying: "\(documents)/\(product)".utf8) }

  var document: ExtractDocument {
    ExtractDocument(
      path: String(displaying: result.report.path.utf8), outcome: outcome, productIdentifier: product,
      contentVersion: version, previousVersion: Nullable(wrappedValue: result.previousVersion),
      installedPath: installedPath, entries: result.report.entries,
      archiveBytes: result.report.archiveBytes ?? 0, contentBytes: result.report.contentBytes,
      files: result.files, findings: findings.map(FindingDocument.init))
  }

  var line: String {
    if case .upToDate = result.outcome {
      return "\(installedPath): \(product) \(version) is installed already"
    }
    let before = result.previousVersion.map { " in place of \($0)" } ?? ""
    let size = "\(Quantity.count(result.files, "file")), \(Quantity.bytes(result.report.contentBytes))"
    return
      "\(installedPath): \(isRehearsal ? "would install" : "installed") \(product) \(version)\(before), \(size)"
  }

  private var outcome: String {
    if case .upToDate = result.outcome { return "up-to-date" }
    return isRehearsal ? "would-install" : "installed"
  }
}
