import ContentPackage
import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

extension ReportOptions {
  /// Renders a result: the one place that switches over the format.
  ///
  /// `text` are the lines for a person; they are not asked for if `--quiet` is given.
  func render(_ document: some ReportDocument, on console: Console, text: () -> [String]) {
    switch format {
    case .json: console.print(json: document)
    case .text: if !quiet { text().forEach(console.print) }
    }
  }

  /// Renders what was found on the way to a result, on standard error; JSON has it in its document.
  func render(_ findings: [Finding], on console: Console) {
    guard format == .text else { return }
    let style = style(for: .error)
    let text = FindingText(style, TextLayout(for: .error))
    for line in text.lines(for: quiet ? findings.filter { $0.severity == .error } : findings) {
      console.note(line)
    }
  }
}

extension Console {
  /// Adds a JSON document.
  func print(json document: some Encodable) { print(Self.text(json: document)) }

  static func text(json document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings, numbers and nulls always encode.
    guard let data = try? encoder.encode(document) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }
}
