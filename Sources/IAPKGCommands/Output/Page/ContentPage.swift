import ContentPackage
import Crypto
import Support
import ZipArchive

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// The report of `report`: one HTML page that asks for nothing from anywhere.
///
/// The page's policy allows its own style and script, by their digests, and nothing else. Names are only in its data
/// block, of which the script makes text.
struct ContentPage {
  private let review: ContentReview
  private let weights: ContentWeights
  private let comparison: PackageComparison?
  private let path: String
  private let findings: [Finding]

  /// A page on what was given as `path`, with the findings that count.
  init(
    of review: ContentReview, at path: String, _ weights: ContentWeights, _ comparison: PackageComparison?,
    findings: [Finding]
  ) {
    self.review = review
    self.path = path
    self.weights = weights
    self.comparison = comparison
    self.findings = findings
  }

  /// Hands on the page in pieces.
  func write(to print: (String) throws -> Void) throws {
    try print(head)
    try print("<script id=\"data\" type=\"application/json\">{\"files\":[")
    try writeFiles(to: print)
    let rest = Console.line(json: ContentPageDocument(weights, comparison, findings))
    try print("],\(Self.embedded(rest.dropFirst()))</script>\n")
    try print("<script>\(PageScript.text)</script>\n</body>\n</html>\n")
  }

  private func writeFiles(to print: (String) throws -> Void) throws {
    let source = review.source
    var rows: [FileRow] = []
    var isFirst = true
    func writeRows() throws {
      guard !rows.isEmpty else { return }
      try print((isFirst ? "" : ",") + Self.embedded(Console.line(json: rows).dropFirst().dropLast()))
      isFirst = false
      rows.removeAll(keepingCapacity: true)
    }
    for item in review.readableItems where item.kind == .file {
      rows.append(FileRow(path: item.path.escaped, size: item.size, packed: source.transferBytes(of: item)))
      if rows.count == LongLists.partSize { try writeRows() }
    }
    try writeRows()
  }

  private var head: String {
    let policy =
      "default-src 'none'; script-src \(Self.source(PageScript.text)); style-src \(Self.source(PageStyle.text)); "
      + "base-uri 'none'; form-action 'none'"
    let title = (review.productIdentifier?.text ?? String(displaying: path.utf8)).escapedForXML
    let version = review.contentVersion?.text ?? "unknown"
    let packed = review.source.archiveBytes.map { ("Package", Quantity.bytes($0)) }
    let facts =
      [("Version", version)] + [packed].compactMap(\.self) + [
        ("Content", Quantity.bytes(review.contentBytes)), ("Entries", "\(review.items.count)"),
        ("Findings", "\(findings.total)"), ("Made of", String(displaying: path.utf8)),
      ]
    let list = facts.map { "<li><span>\($0)</span> <strong>\($1.escapedForXML)</strong></li>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) \(version)</title>
      <style>\(PageStyle.text)</style>
      </head>
      <body>
      <header>
      <h1>\(title)</h1>
      <ul>
      \(list.joined(separator: "\n"))
      </ul>
      <noscript><p>This page needs its own script to show the content.</p></noscript>
      </header>
      <main></main>

      """
  }

  /// What a policy calls an inline style or script (Content Security Policy Level 3, 2.3.1).
  private static func source(_ text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
  }

  /// JSON that can stand in a script element, which no `<` in it may end.
  private static func embedded(_ json: Substring) -> String {
    json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
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
    let downloadBytes: Int64

    init(_ comparison: PackageComparison) {
      oldVersion = comparison.old.contentVersion?.text ?? "unknown"
      newVersion = comparison.new.contentVersion?.text ?? "unknown"
      added = comparison.added.map(\.escaped)
      changed = comparison.changed.map(\.escaped)
      removed = comparison.removed.map(\.escaped)
      downloadBytes = comparison.downloadBytes
    }
  }

  let byKind: [KindDocument]
  let duplicates: [DuplicateDocument]
  let findings: [FindingDocument]
  let comparison: Comparison?

  init(_ weights: ContentWeights, _ comparison: PackageComparison?, _ findings: [Finding]) {
    byKind = weights.byKind.map(KindDocument.init)
    duplicates = weights.duplicates.map(DuplicateDocument.init)
    self.findings = findings.map(FindingDocument.init)
    self.comparison = comparison.map(Comparison.init)
  }
}
