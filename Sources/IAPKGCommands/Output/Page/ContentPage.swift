import ContentPackage
import Delivery
import Settings
import Support
import ZipArchive

/// The page of `report` for one package or content folder.
struct ContentPage {
  private let result: ReportWork
  private let findings: [Finding]
  private let rules: RuleOptions

  private var review: ContentReview { result.review }

  init(_ result: ReportWork, _ rules: RuleOptions) {
    self.result = result
    self.rules = rules
    findings = rules.unignored(result.findings, by: result.settings)
  }

  /// Writes the page in pieces, with only some rows of a long list in memory.
  func write(to print: (String) throws -> Void) throws {
    let source = review.source
    try print(page.start + "{")
    try write("files", review.readableItems.lazy.filter { $0.kind == .file }, to: print) {
      FileRow(path: $0.path.escaped, size: $0.size, packed: source.transferBytes(of: $0))
    }
    if let comparison = result.comparison {
      let differences = comparison.differences
      let manifest = differences?.changesManifest == true ? [PackageLayout.manifest] : []
      let changed = differences.map { $0.paths(at: $0.changed) } ?? []
      try write("added", differences.map { $0.paths(at: $0.added) } ?? [], to: print) { $0.escaped }
      try write("changed", manifest + changed, to: print) { $0.escaped }
      var removed = differences.map { SpooledPaths.Reader($0.removed) }
      try write("removed", to: print) { try removed?.next()?.escaped }
      try write("moved", differences?.paths(at: comparison.moved) ?? [], to: print) { $0.escaped }
    }
    let rest = Console.line(json: ContentPageDocument(result, findings))
    try print(HTMLPage.embedded(rest.dropFirst()) + page.end)
  }

  /// Writes a list as a member of the page's data. `makeRow` creates each row from an element.
  private func write<Element>(
    _ name: String, _ elements: some Sequence<Element>, to print: (String) throws -> Void,
    _ makeRow: (Element) -> some Encodable
  ) throws {
    var elements = elements.makeIterator()
    try write(name, to: print) { elements.next().map(makeRow) }
  }

  /// Writes a list as a member of the page's data, which another member must follow. `next` returns the rows one by
  /// one.
  private func write<Row: Encodable>(
    _ name: String, to print: (String) throws -> Void, _ next: () throws -> Row?
  ) throws {
    try print("\"\(name)\":[")
    var isFirst = true
    while let first = try next() {
      var part = [first]
      while part.count < LongLists.partSize, let row = try next() { part.append(row) }
      try print((isFirst ? "" : ",") + HTMLPage.embedded(Console.line(json: part).dropFirst().dropLast()))
      isFirst = false
    }
    try print("],")
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
        ("Content", Quantity.bytes(review.contentBytes)),
        ("Entries", "\(review.items.count)" + Quantity.exclusionEnding(review.source.excluded)),
        ("Findings", counts), ("Made of", path),
      ], script: PageResource.content)
  }
}

extension [Finding] {
  /// The findings in report order, with errors first.
  fileprivate var bySeverity: [Finding] {
    Finding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
  }
}

/// A file in the page's data: path, content size and compressed size, both in bytes.
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

/// The page's data except the lists of files and changed paths.
private struct ContentPageDocument: Encodable {
  struct Comparison: Encodable {
    let oldVersion: String
    let newVersion: String
    let downloadBytes: Int64

    init?(_ comparison: ReportWork.Comparison, _ review: ContentReview) {
      guard let old = comparison.oldVersion, let bytes = comparison.updateBytes else { return nil }
      oldVersion = old.text
      newVersion = review.contentVersion?.text ?? "unknown"
      downloadBytes = bytes
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
    self.findings = findings.bySeverity.map(FindingDocument.init)
    suppressions = result.findings.compactMap { finding in
      result.settings?.reason(for: finding).map {
        Suppression(
          rule: finding.rule.rawValue, path: Nullable(wrappedValue: finding.path?.escaped),
          message: finding.message, reason: String(displaying: $0.utf8))
      }
    }
    comparison = result.comparison.flatMap { Comparison($0, result.review) }
    updates = result.comparison?.updates.map { $0.map(UpdateDocument.init) }
  }
}
