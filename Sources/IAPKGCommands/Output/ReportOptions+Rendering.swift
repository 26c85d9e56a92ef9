import ContentPackage
import SafeFiles
import Support

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

extension FormattedReportOptions {
  /// Prints a result in the requested format.
  ///
  /// `text` returns the lines of a text report; it is not called with `--quiet`.
  func render<Document: ReportDocument>(
    _ document: @autoclosure () -> Document, on console: Console, text: () -> [String]
  ) {
    render(document(), on: console) { text().forEach($0) }
  }

  /// Prints a result in the requested format. `text` prints line by line, because a report can have very many lines.
  func render<Document: ReportDocument>(
    _ document: @autoclosure () -> Document, on console: Console, text: (_ print: (String) -> Void) -> Void
  ) {
    if reportFormat == .json {
      console.print(json: document())
    } else if !quiet {
      text(console.print)
    }
  }

  /// Prints findings on standard error for a text report; with `--quiet`, only errors. A JSON document already contains
  /// them.
  func render(_ findings: [Finding], showingAll: Bool = false, on console: Console) {
    guard reportFormat == .text else { return }
    let style = style(for: .error)
    let text = FindingText(style, TextLayout(for: .error), showingAll: showingAll)
    for line in text.lines(for: quiet ? findings.filter { $0.severity == .error } : findings) {
      console.note(line)
    }
  }
}

extension Console {
  /// Appends a JSON document to standard output.
  func print(json document: some Encodable) {
    let lists = LongLists()
    let encoder = Self.encoder()
    lists.attach(to: encoder)
    lists.write(Self.text(json: document, with: encoder), with: encoder) { print($0) }
  }

  static func text(json document: some Encodable) -> String { text(json: document, with: encoder()) }

  /// Returns a JSON document without line breaks.
  static func line(json document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return text(json: document, with: encoder)
  }

  private static func text(json document: some Encodable, with encoder: JSONEncoder) -> String {
    // Strings, numbers and nulls never fail to encode.
    guard let data = try? encoder.encode(document) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }

  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
