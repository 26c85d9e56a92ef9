import ContentPackage
import Delivery
import Support

/// The summary of the report on one input.
struct ReportSummary {
  /// The path of the input, as on the command line.
  let path: String
  /// The file name of the input's page in the folder of pages; nil if it has no separate page.
  let pageName: String?
  let productIdentifier: ProductIdentifier?
  let contentVersion: ContentVersion?
  let entries: Int
  /// The size in bytes of the package, or of the package that iapkg would create from the folder; nil if iapkg cannot
  /// create a package.
  let archiveBytes: Int64?
  let contentBytes: Int64
  let leftOut: ExcludedItems
  /// The counts of findings that are not ignored.
  let counts: [Finding.Severity: Int]
  let ignored: Int
  /// Whether there is a baseline.
  let isCompared: Bool
  /// The version of the baseline; nil if the store has no release.
  let oldVersion: ContentVersion?
  let isChanged: Bool
  /// The download size of an update from the baseline, in bytes; nil if there is no older version.
  let updateBytes: Int64?
  /// The updates from each release of a store; nil without a store.
  let updates: [StoreComparison.Update]?

  init(_ result: ReportWork, _ rules: RuleOptions, pageName: String?) {
    let review = result.review
    let findings = rules.unignored(result.findings, by: result.settings)
    path = result.path
    self.pageName = pageName
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    entries = review.items.count
    archiveBytes = review.source.archiveBytes
    contentBytes = review.contentBytes
    leftOut = review.source.excluded
    counts = Dictionary(
      uniqueKeysWithValues: Finding.Severity.allCases.map { severity in
        (severity, findings.lazy.filter { $0.severity == severity }.total)
      })
    ignored = result.findings.total - findings.total
    isCompared = result.comparison != nil
    oldVersion = result.comparison?.oldVersion
    isChanged = result.comparison?.isChanged ?? false
    updateBytes = result.comparison?.updateBytes
    updates = result.comparison?.updates
  }

  var product: String { productIdentifier?.text ?? String(displaying: path.utf8) }
  var version: String { contentVersion?.text ?? "unknown" }
  var findingCount: Int { counts.values.reduce(0, +) }

  /// The counts of findings: "2 errors, 1 warning", or "none".
  var findingText: String {
    let nouns: [(Finding.Severity, String)] = [(.error, "error"), (.warning, "warning"), (.note, "note")]
    let texts = nouns.compactMap { severity, noun in
      counts[severity].flatMap { $0 > 0 ? Quantity.count($0, noun) : nil }
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }

  /// A sentence about the download size of an update; nil without a baseline.
  var updateText: String? {
    guard isCompared else { return nil }
    guard let oldVersion, let updateBytes else { return "the store has no release of \(product) yet" }
    let isStore = updates != nil
    guard isChanged || updateBytes > 0 else {
      return "the content is identical to \(oldVersion)\(isStore ? ", the newest release" : "")"
    }
    return "an update from \(oldVersion)\(isStore ? ", the newest release," : "") downloads "
      + Quantity.bytes(updateBytes)
  }
}
