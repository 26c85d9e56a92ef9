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
      files: result.files, repaired: repaired.map { Listing($0, \.escaped) },
      added: result.changes.map { Listing($0.added, \.escaped) },
      changed: result.changes.map { Listing($0.changed, \.escaped) },
      removed: result.changes.map { Listing($0.removed, \.escaped) },
      modified: modified.isEmpty ? nil : Listing(modified, \.escaped),
      damagedVersions: result.damagedVersions.isEmpty ? nil : result.damagedVersions,
      kept: Listing(result.kept, \.self),
      findings: findings.map(FindingDocument.init))
  }

  /// Prints a sentence about the product, and a line for each path.
  func write(_ layout: TextLayout, to print: (String) -> Void) {
    layout.sentence(in: [sentence]).forEach(print)
    switch result.outcome {
    case .upToDate: break
    case .repaired(let paths): for path in paths { print("  \(path.escaped)") }
    default: writeChanges(to: print)
    }
  }

  private var sentence: String {
    switch result.outcome {
    case .upToDate:
      return "\(installedPath): \(product) \(result.previousVersion ?? version) is already installed"
    case .repaired(let paths):
      return "\(installedPath): repaired \(product) \(version), \(Quantity.count(paths.count, "item"))"
    default:
      let before = result.previousVersion.map { " in place of \($0)" } ?? ""
      let size = "\(Quantity.count(result.files, "file")), \(Quantity.bytes(result.fileBytes))"
      let verb = isRehearsal ? "would install" : "installed"
      return "\(installedPath): \(verb) \(product) \(version)\(before), \(size)"
    }
  }

  private func writeChanges(to print: (String) -> Void) {
    for path in result.changes?.added ?? [] { print("  + \(path.escaped)") }
    for path in result.changes?.changed ?? [] { print("  ~ \(path.escaped)") }
    for path in result.changes?.removed ?? [] { print("  - \(path.escaped)") }
    let kept = isRehearsal ? "to be kept" : "kept"
    for path in modified { print("  modified, and \(kept) in \(result.placeOfModified): \(path.escaped)") }
    result.linesOfDamaged(isRehearsal: isRehearsal).forEach(print)
    for path in result.kept { print("\(LocatedPaths.lineHead)\(kept): \(path)") }
  }

  private var modified: [EntryPath] { result.replacedModified }

  private var repaired: [EntryPath]? {
    guard case .repaired(let paths) = result.outcome else { return nil }
    return paths
  }

  private var outcome: String {
    switch result.outcome {
    case .upToDate: "up-to-date"
    case .repaired: "repaired"
    default: isRehearsal ? "would-install" : "installed"
    }
  }
}

extension LocatedPaths {
  /// The beginning of the line about a kept or deleted file. Deleted versions leave their modified files among the kept.
  static let lineHead = "  not installed by iapkg or modified since, and "
}

extension PackageInstaller.Result {
  /// The location of modified files that the installation replaced.
  var placeOfModified: String { keepsPrevious ? "the previous version" : ".iapkg/kept" }

  /// The line about each damaged version that is not kept.
  func linesOfDamaged(isRehearsal: Bool = false) -> [String] {
    damagedVersions.map {
      "  damaged, and \(isRehearsal ? "to be " : "")deleted in place of an older version that is intact: \($0)"
    }
  }
}
