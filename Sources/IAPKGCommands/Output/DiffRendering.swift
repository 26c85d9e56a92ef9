import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The document of `diff`.
struct DiffDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "diff"
  let added: Listing<String>
  let removed: Listing<String>
  let changed: Listing<String>
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
      added: Listing(comparison.added, \.escaped), removed: Listing(comparison.removed, \.escaped),
      changed: Listing(comparison.changed, \.escaped), downloadBytes: comparison.downloadBytes,
      oldProductIdentifier: Nullable(wrappedValue: comparison.old.productIdentifier?.text),
      newProductIdentifier: Nullable(wrappedValue: comparison.new.productIdentifier?.text),
      oldVersion: Nullable(wrappedValue: comparison.old.contentVersion?.text),
      newVersion: Nullable(wrappedValue: comparison.new.contentVersion?.text),
      versionRaised: comparison.isVersionRaised,
      findings: comparison.finding.map { [FindingDocument($0)] } ?? [])
  }

  /// Prints a line for each path, and one for all of them.
  func write(_ layout: TextLayout, to print: (String) -> Void) {
    for path in comparison.removed { print(style.error("- \(path.escaped)")) }
    for path in comparison.added { print(style.good("+ \(path.escaped)")) }
    for path in comparison.changed { print(style.warning("~ \(path.escaped)")) }
    layout.lines(after: "", width: 0, summary).forEach(print)
  }

  /// What is to be said of two products, which are no versions of each other; nil for one.
  var warning: String? {
    guard let old = comparison.old.productIdentifier, let new = comparison.new.productIdentifier,
      old.text != new.text
    else { return nil }
    return "these are two products, \(old) and \(new), and not two versions of one: "
      + "neither is an update of the other"
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
