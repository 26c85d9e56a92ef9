import ContentPackage
import SafeFiles
import Support

/// The text of `rules` and `explain`.
struct RuleRendering {
  private let style: TextStyle
  private let layout: TextLayout

  init(style: TextStyle, layout: TextLayout = TextLayout(for: .output)) {
    self.style = style
    self.layout = layout
  }

  /// One row for each rule: identifier, severity and summary.
  var table: [String] {
    let rows = Rule.allCases.map { rule in
      (name: rule.rawValue + (rule.description.isIgnorable ? "*" : ""), rule: rule)
    }
    let width = rows.map(\.name.count).max() ?? 0
    let severityWidth = Finding.Severity.allCases.map(\.rawValue.count).max() ?? 0
    return rows.flatMap { name, rule in
      let severity = rule.severity.rawValue
      let gap = String(repeating: " ", count: severityWidth - severity.count)
      return layout.lines(
        after: style.strong(name) + String(repeating: " ", count: width - name.count) + "  "
          + style.severity(rule.severity) + gap + "  ",
        width: width + severityWidth + 4, rule.description.summary)
    }
  }

  func explanation(of rule: Rule) -> [String] {
    let (description, explanation) = (rule.description, rule.explanation)
    let ignoring = description.isIgnorable ? "may be ignored" : "cannot be ignored"
    let rows = [
      ("finds", description.summary), ("cause", explanation.cause), ("matters", explanation.importance),
      ("remedy", description.remedy), ("example", explanation.example),
    ]
    let width = 9
    return ["\(style.strong(rule.rawValue)): \(style.severity(rule.severity)), \(ignoring)", ""]
      + rows.flatMap { title, text in
        let padding = String(repeating: " ", count: width - title.count)
        return layout.lines(after: style.faint(title) + padding, width: width, text)
      }
  }
}
