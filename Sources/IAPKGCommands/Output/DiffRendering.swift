import ContentPackage
import SafeFiles
import ZipArchive

/// What `diff` writes.
struct DiffDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "diff"
  let added: [String]
  let removed: [String]
  let changed: [String]
  let downloadBytes: Int64
  @Nullable var oldProductIdentifier: String?
  @Nullable var newProductIdentifier: String?
  @Nullable var oldVersion: String?
  @Nullable var newVersion: String?
  let versionRaised: Bool
  let findings: [FindingDocument]
}

/// A comparison in each format.
struct DiffRendering {
  private let comparison: PackageComparison
  private let style: TextStyle

  init(_ comparison: PackageComparison, style: TextStyle) {
    self.comparison = comparison
    self.style = style
  }

  var document: DiffDocument {
    DiffDocument(
      added: comparison.added.map(\.escaped), removed: comparison.removed.map(\.escaped),
      changed: comparison.changed.map(\.escaped), downloadBytes: comparison.downloadBytes,
      oldProductIdentifier: Nullable(wrappedValue: comparison.old.productIdentifier?.text),
      newProductIdentifier: Nullable(wrappedValue: comparison.new.productIdentifier?.text),
      oldVersion: Nullable(wrappedValue: comparison.old.contentVersion?.text),
      newVersion: Nullable(wrappedValue: comparison.new.contentVersion?.text),
      versionRaised: comparison.isVersionRaised,
      findings: comparison.finding.map { [FindingDocument($0)] } ?? [])
  }

  /// A line for each path, and one for all of them.
  var lines: [String] {
    comparison.removed.map { style.error("- \($0.escaped)") }
      + comparison.added.map { style.good("+ \($0.escaped)") }
      + comparison.changed.map { style.warning("~ \($0.escaped)") }
      + TextLayout(for: .output).lines(after: "", width: 0, summary)
  }

  private var summary: String {
    let (old, new) = (comparison.old, comparison.new)
    let versions = "\(old.contentVersion?.text ?? "unknown") -> \(new.contentVersion?.text ?? "unknown")"
    let names = [old.productIdentifier?.text ?? "unknown", new.productIdentifier?.text ?? "unknown"]
    let product = names[0] == names[1] ? names[0] : names.joined(separator: " -> ")
    guard comparison.isChanged else { return "\(product) \(versions): same content" }
    return "\(product) \(versions): \(comparison.added.count) added, \(comparison.removed.count) removed, "
      + "\(comparison.changed.count) changed, \(Quantity.bytes(comparison.downloadBytes)) to download again"
  }
}
