import ContentPackage
import Delivery
import Settings
import Support
import ZipArchive

/// The page that `report` makes.
struct ContentPage {
  private let result: ReportWork
  private let findings: [Finding]
  private let rules: RuleOptions

  private var review: ContentReview { result.review }

  init(_ result: ReportWork, _ rules: RuleOptions) {
    self.result = result
    self.rules = rules
    findings = rules.counted(result.findings, by: result.settings)
  }

  /// Hands on the page in pieces.
  func write(to print: (String) throws -> Void) throws {
    try print(page.start + "{\"files\":[")
    try writeFiles(to: print)
    let rest = Console.line(json: ContentPageDocument(result, findings))
    try print("],\(HTMLPage.embedded(rest.dropFirst()))" + page.end)
  }

  private func writeFiles(to print: (String) throws -> Void) throws {
    let source = review.source
    var rows: [FileRow] = []
    var isFirst = true
    func writeRows() throws {
      guard !rows.isEmpty else { return }
      try print((isFirst ? "" : ",") + HTMLPage.embedded(Console.line(json: rows).dropFirst().dropLast()))
      isFirst = false
      rows.removeAll(keepingCapacity: true)
    }
    for item in review.readableItems where item.kind == .file {
      rows.append(FileRow(path: item.path.escaped, size: item.size, packed: source.transferBytes(of: item)))
      if rows.count == LongLists.partSize { try writeRows() }
    }
    try writeRows()
  }

  private var page: HTMLPage {
    let path = String(displaying: result.path.utf8)
    let name = review.productIdentifier?.text ?? path
    let version = review.contentVersion?.text ?? "unknown"
    let packed = review.source.archiveBytes.map { ("Package", Quantity.bytes($0)) }
    let ignored = result.findings.total - findings.total
    let counts = "\(findings.total)" + (ignored > 0 ? ", \(ignored) ignored" : "")
    return HTMLPage(
      title: "\(name) \(version)", heading: name,
      facts: [("Version", version)] + [packed].compactMap(\.self) + [
        ("Content", Quantity.bytes(review.contentBytes)), ("Entries", "\(review.items.count)"),
        ("Findings", counts), ("Made of", path),
      ], script: PageScript.content)
  }
}

/// A file of the page's data: path, bytes of its content, and bytes that it takes.
private struct FileRow: Encodable {
  let path: String
  let size: Int64
  let packed: Int64

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(path)
    try container.encode(size)
    try container.encode(packed)
  }
}

/// What the page's data say beside the files.
private struct ContentPageDocument: Encodable {
  struct Comparison: Encodable {
    let oldVersion: String
    let newVersion: String
    let added: [String]
    let changed: [String]
    let removed: [String]
    /// Those of the added and changed that an update does not download, since they are there under another name.
    let moved: [String]
    let downloadBytes: Int64

    init(_ comparison: PackageComparison) {
      oldVersion = comparison.old.contentVersion?.text ?? "unknown"
      newVersion = comparison.new.contentVersion?.text ?? "unknown"
      added = comparison.added.map(\.escaped)
      changed = comparison.changed.map(\.escaped)
      removed = comparison.removed.map(\.escaped)
      moved = []
      downloadBytes = comparison.downloadBytes
    }

    init?(_ comparison: StoreComparison, _ review: ContentReview) {
      guard let newest = comparison.newest else { return nil }
      oldVersion = newest.contentVersion.text
      newVersion = review.contentVersion?.text ?? "unknown"
      added = comparison.added.map(\.escaped)
      changed = comparison.changed.map(\.escaped)
      removed = comparison.removed.map(\.escaped)
      moved = comparison.moved.map(\.escaped)
      downloadBytes = comparison.downloadBytes
    }
  }

  /// A finding that the settings ignore.
  struct Suppression: Encodable {
    let rule: String
    @Nullable var path: String?
    let message: String
    let reason: String
  }

  let byKind: [KindDocument]
  let duplicates: [DuplicateDocument]
  let findings: [FindingDocument]
  let suppressions: [Suppression]
  let comparison: Comparison?
  let updates: [UpdateDocument]?

  init(_ result: ReportWork, _ findings: [Finding]) {
    byKind = result.weights.byKind.map(KindDocument.init)
    duplicates = result.weights.duplicates.map(DuplicateDocument.init)
    self.findings = findings.map(FindingDocument.init)
    suppressions = result.findings.compactMap { finding in
      result.settings?.reason(for: finding).map {
        Suppression(
          rule: finding.rule.rawValue, path: Nullable(wrappedValue: finding.path?.escaped),
          message: finding.message, reason: String(displaying: $0.utf8))
      }
    }
    comparison =
      switch result.comparison {
      case .published(let comparison): Comparison(comparison)
      case .store(let comparison): Comparison(comparison, result.review)
      case nil: nil
      }
    updates = result.updates.map { $0.map(UpdateDocument.init) }
  }
}
