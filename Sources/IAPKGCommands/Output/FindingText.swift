import ContentPackage
import ZipArchive

/// Findings for people: grouped by file, with the rule's name to look up.
struct FindingText {
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// The lines for findings in the order of reports, in which those of one file stand together.
  func lines(for findings: [Finding]) -> [String] {
    var lines: [String] = []
    var path: String?
    for finding in findings {
      let place = finding.path?.escaped ?? "the package"
      if place != path {
        lines.append(style.strong(place))
        path = place
      }
      let line = finding.line.map { ", line \($0)" } ?? ""
      lines.append(
        "  \(word(finding.severity)): \(finding.message)\(line) \(style.faint("[\(finding.rule.rawValue)]"))")
      if finding.severity != .note { lines.append("      \(style.faint("-> \(finding.remedy)"))") }
    }
    return lines
  }

  private func word(_ severity: Finding.Severity) -> String {
    switch severity {
    case .error: style.error("error")
    case .warning: style.warning("warning")
    case .note: style.note("note")
    }
  }
}
