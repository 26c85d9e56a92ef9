import ContentPackage
import Delivery
import Support

/// What is told of the report on one input beside its page.
struct ReportSummary {
  /// The input, as it was given.
  let path: String
  /// The name of its page in the folder of pages; nil where it has none of its own.
  let pageName: String?
  let productIdentifier: ProductIdentifier?
  let contentVersion: ContentVersion?
  let entries: Int
  /// Bytes of the package, or of the one that iapkg makes of a folder; nil if none can be made.
  let archiveBytes: Int64?
  let contentBytes: Int64
  /// The numbers of findings that are not ignored.
  let counts: [Finding.Severity: Int]
  let ignored: Int
  /// Whether there is something to compare with.
  let isCompared: Bool
  /// The version that is compared with; nil where the store has no release.
  let oldVersion: ContentVersion?
  let isChanged: Bool
  /// What an update from that version downloads; nil if there is none.
  let updateBytes: Int64?
  /// What an update from each release of a store downloads; nil without one.
  let updates: [StoreComparison.Update]?

  init(_ result: ReportWork, _ rules: RuleOptions, pageName: String?) {
    let review = result.review
    let findings = rules.counted(result.findings, by: result.settings)
    path = result.path
    self.pageName = pageName
    productIdentifier = review.productIdentifier
    contentVersion = review.contentVersion
    entries = review.items.count
    archiveBytes = review.source.archiveBytes
    contentBytes = review.contentBytes
    counts = Dictionary(
      uniqueKeysWithValues: Finding.Severity.allCases.map { severity in
        (severity, findings.lazy.filter { $0.severity == severity }.total)
      })
    ignored = result.findings.total - findings.total
    isCompared = result.comparison != nil
    oldVersion = result.comparison?.oldVersion
    isChanged = result.comparison?.isChanged ?? false
    updateBytes = oldVersion.flatMap { _ in result.comparison?.downloadBytes }
    updates = result.updates
  }

  var product: String { productIdentifier?.text ?? String(displaying: path.utf8) }
  var version: String { contentVersion?.text ?? "unknown" }
  var findingCount: Int { counts.values.reduce(0, +) }

  /// "2 errors, 1 warning", or "none".
  var findingText: String {
    let nouns: [(Finding.Severity, String)] = [(.error, "error"), (.warning, "warning"), (.note, "note")]
    let texts = nouns.compactMap { severity, noun in
      counts[severity].flatMap { $0 > 0 ? Quantity.count($0, noun) : nil }
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }

  /// What an update downloads; nil if there is nothing to compare with.
  var updateText: String? {
    guard isCompared else { return nil }
    guard let oldVersion, let updateBytes else { return "the store has no release of \(product) yet" }
    let isStore = updates != nil
    guard isChanged || updateBytes > 0 else {
      return "the content is that of \(oldVersion)\(isStore ? ", the newest release" : "")"
    }
    return "an update from \(oldVersion)\(isStore ? ", the newest release," : "") downloads "
      + Quantity.bytes(updateBytes)
  }
}
