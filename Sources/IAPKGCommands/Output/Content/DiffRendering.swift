import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The JSON report of `diff`.
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
  let leftOut: LeftOutDocument?
  let findings: [FindingDocument]

  init(_ comparison: ComparisonText) {
    added = Listing(comparison.added, \.escaped)
    removed = Listing(comparison.removed, \.escaped)
    changed = Listing(comparison.changed, \.escaped)
    downloadBytes = comparison.downloadBytes
    _oldProductIdentifier = Nullable(wrappedValue: comparison.old?.productIdentifier?.text)
    _newProductIdentifier = Nullable(wrappedValue: comparison.new?.productIdentifier?.text)
    _oldVersion = Nullable(wrappedValue: comparison.old?.contentVersion?.text)
    _newVersion = Nullable(wrappedValue: comparison.new?.contentVersion?.text)
    versionRaised = comparison.isVersionRaised
    leftOut = LeftOutDocument(comparison.leftOut)
    findings = [comparison.finding].compactMap(\.self).map(FindingDocument.init)
  }
}

/// The report of `diff` on one product.
struct DiffRendering {
  private let comparison: ComparisonText
  private let style: TextStyle
  /// The identity of the product; nil unless the report has several products.
  private let listed: ContentInfo?

  init(_ comparison: ComparisonText, style: TextStyle, listing listed: ContentInfo? = nil) {
    self.comparison = comparison
    self.style = style
    self.listed = listed
  }

  var document: DiffDocument { DiffDocument(comparison) }

  var findings: [Finding] { [comparison.finding].compactMap(\.self) }

  /// Prints a line for each path, and a summary. In a list, each changed product has a heading. A product that exists
  /// only on one side has only a summary.
  func write(_ layout: TextLayout, to print: (String) -> Void) {
    let hasBothSides = comparison.old != nil && comparison.new != nil
    if let listed, hasBothSides, comparison.isChanged { print(style.strong("\(listed.productIdentifier):")) }
    if hasBothSides {
      for path in comparison.removed { print(style.error("- \(path.escaped)")) }
      for path in comparison.added { print(style.success("+ \(path.escaped)")) }
      for path in comparison.changed { print(style.warning("~ \(path.escaped)")) }
    }
    layout.lines(after: "", width: 0, summary + Quantity.exclusionEnding(comparison.leftOut)).forEach(print)
  }

  /// The warning for a comparison of two different products; nil for one product.
  var warning: String? {
    guard let old = comparison.old?.productIdentifier, let new = comparison.new?.productIdentifier,
      old.text != new.text
    else { return nil }
    return "\(old) and \(new) are different products, not versions of the same product"
  }

  private var summary: String {
    switch (comparison.old, comparison.new) {
    case (nil, let new?):
      return "\(Self.identity(new)): only among the new inputs, "
        + "\(Quantity.bytes(comparison.downloadBytes)) to download"
    case (let old?, nil): return "\(Self.identity(old)): only among the old inputs"
    case (let old?, let new?): return summary(old, new)
    case (nil, nil): return "nothing"
    }
  }

  private func summary(_ old: PackageComparison.Side, _ new: PackageComparison.Side) -> String {
    let versions = "\(old.contentVersion?.text ?? "unknown") -> \(new.contentVersion?.text ?? "unknown")"
    let names = [old.productIdentifier?.text ?? "unknown", new.productIdentifier?.text ?? "unknown"]
    let product = names[0] == names[1] ? names[0] : names.joined(separator: " -> ")
    let download = Quantity.bytes(comparison.downloadBytes)
    guard comparison.isChanged else {
      let update = comparison.downloadBytes > 0 ? ", an update downloads \(download)" : ""
      return "\(product) \(versions): same content\(update)"
    }
    return "\(product) \(versions): \(comparison.added.count) added, \(comparison.removed.count) removed, "
      + "\(comparison.changed.count) changed, an update downloads \(download)"
  }

  private static func identity(_ side: PackageComparison.Side) -> String {
    "\(side.productIdentifier?.text ?? "unknown") \(side.contentVersion?.text ?? "unknown")"
  }
}
