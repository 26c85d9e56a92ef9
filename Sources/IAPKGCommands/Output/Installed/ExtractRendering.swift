import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The report of `extract`.
struct ExtractRendering {
  private let result: PackageInstaller.Result
  private let documents: String
  private let isDryRun: Bool
  private let findings: [Finding]

  init(_ result: PackageInstaller.Result, into documents: String, isDryRun: Bool, findings: [Finding]) {
    self.result = result
    self.documents = documents
    self.isDryRun = isDryRun
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
      let verb = isDryRun ? "would install" : "installed"
      return "\(installedPath): \(verb) \(product) \(version)\(before), \(size)"
    }
  }

  private func writeChanges(to print: (String) -> Void) {
    for path in result.changes?.added ?? [] { print("  + \(path.escaped)") }
    for path in result.changes?.changed ?? [] { print("  ~ \(path.escaped)") }
    for path in result.changes?.removed ?? [] { print("  - \(path.escaped)") }
    let kept = isDryRun ? "to be kept" : "kept"
    result.linesOfModified(isDryRun: isDryRun).forEach(print)
    result.linesOfDamaged(isDryRun: isDryRun).forEach(print)
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
    default: isDryRun ? "would-install" : "installed"
    }
  }
}

extension LocatedPaths {
  /// The beginning of the line about a kept or deleted file. The modified files of deleted versions are kept files too.
  static let lineHead = "  not installed by iapkg or modified since, and "
}

extension [EntryPath] {
  /// Returns a line about each modified item that a change of the product replaces.
  ///
  /// - Parameters:
  ///   - location: The location of modified files after the change.
  ///   - layout: The layout of the product's folder before the change.
  ///   - isDryRun: Whether the change is only planned.
  /// - Returns: The lines.
  func linesOfModified(keptIn location: String, layout: InstallationLayout?, isDryRun: Bool) -> [String] {
    let prefix = isDryRun ? "  modified, and to be" : "  modified, and"
    return compactMap { path in
      // Beside the versions are only the `current` link and the backup mark, which belong to no version. A file that is
      // moved from either path is among the kept files.
      guard layout == .versioned, path.parent == nil else {
        return "\(prefix) kept in \(location): \(path.escaped)"
      }
      return path == InstallationLayout.current ? "\(prefix) replaced: \(path.escaped)" : nil
    }
  }
}

extension PackageInstaller.Result {
  /// Returns a line about each modified item that the installation replaced.
  func linesOfModified(isDryRun: Bool = false) -> [String] {
    replacedModified.linesOfModified(
      keptIn: keepsPrevious ? "the previous version" : ".iapkg/kept", layout: previousLayout,
      isDryRun: isDryRun)
  }

  /// Returns a line about each damaged version that is not kept.
  func linesOfDamaged(isDryRun: Bool = false) -> [String] {
    damagedVersions.map {
      "  damaged, and \(isDryRun ? "to be " : "")deleted in place of an older version that is intact: \($0)"
    }
  }
}
