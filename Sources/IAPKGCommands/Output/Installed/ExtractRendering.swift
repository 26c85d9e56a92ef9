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
    result.linesOfModified(isRehearsal: isRehearsal).forEach(print)
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

extension [EntryPath] {
  /// Returns the line about each of these modified items of a product, which a change replaces.
  ///
  /// - Parameters:
  ///   - place: The location of modified files after the change.
  ///   - layout: The layout of the product's folder before the change.
  ///   - isRehearsal: Whether the change is only rehearsed.
  /// - Returns: The lines.
  func linesOfModified(keptIn place: String, layout: InstallationLayout?, isRehearsal: Bool) -> [String] {
    let prefix = isRehearsal ? "  modified, and to be" : "  modified, and"
    return compactMap { path in
      // Beside the versions are the link and the backup mark, which no previous version has. A file in their place that
      // is moved is among the kept files.
      guard layout == .versioned, path.parent == nil else {
        return "\(prefix) kept in \(place): \(path.escaped)"
      }
      return path == InstallationLayout.current ? "\(prefix) replaced: \(path.escaped)" : nil
    }
  }
}

extension PackageInstaller.Result {
  /// The line about each modified item that the installation replaced.
  func linesOfModified(isRehearsal: Bool = false) -> [String] {
    replacedModified.linesOfModified(
      keptIn: keepsPrevious ? "the previous version" : ".iapkg/kept", layout: previousLayout,
      isRehearsal: isRehearsal)
  }

  /// The line about each damaged version that is not kept.
  func linesOfDamaged(isRehearsal: Bool = false) -> [String] {
    damagedVersions.map {
      "  damaged, and \(isRehearsal ? "to be " : "")deleted in place of an older version that is intact: \($0)"
    }
  }
}
