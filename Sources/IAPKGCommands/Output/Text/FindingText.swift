import ContentPackage
import ZipArchive

/// A text list of findings, grouped by file, with rule names.
struct FindingText {
  /// If a rule has more than `maximumCount` findings, the list has only the first `shownCount`.
  private static let (maximumCount, shownCount) = (8, 3)

  private let style: TextStyle
  private let layout: TextLayout
  /// Whether all findings are listed.
  private let showsAll: Bool

  init(_ style: TextStyle, _ layout: TextLayout, showingAll: Bool = false) {
    self.style = style
    self.layout = layout
    showsAll = showingAll
  }

  /// Returns the lines for findings in report order, grouped by input and file.
  func lines(for findings: [Finding]) -> [String] {
    var lines: [String] = []
    var rest = findings[...]
    while let first = rest.first {
      let part = rest.prefix { $0.input == first.input }
      lines += self.lines(for: part, about: first.input)
      rest = rest.dropFirst(part.count)
    }
    return lines
  }

  private func lines(for findings: ArraySlice<Finding>, about input: String?) -> [String] {
    let counts = findings.reduce(into: [Rule: Int]()) { $0[$1.rule, default: 0] += 1 + $1.omitted }
    var listed: [Rule: Int] = [:]
    var remedies: Set<String> = []
    var lines: [String] = []
    var path: String?
    for finding in findings {
      let listedCount = listed[finding.rule, default: 0]
      guard showsAll || counts[finding.rule, default: 0] <= Self.maximumCount || listedCount < Self.shownCount
      else { continue }
      listed[finding.rule] = listedCount + 1
      let place = [input, finding.path?.escaped].compactMap(\.self).joined(separator: ": ")
      if place != path {
        lines.append(style.strong(place.isEmpty ? "the package" : place))
        path = place
      }
      lines += self.lines(for: finding)
      if finding.severity != .note, remedies.insert(finding.rule.rawValue + finding.remedy).inserted {
        lines += layout.lines(after: "      -> ", width: 9, finding.remedy).map(style.faint)
      }
    }
    if showsAll { return lines }
    return lines + Rule.allCases.flatMap { folded($0, counts[$0, default: 0], in: input) }
  }

  private func lines(for finding: Finding) -> [String] {
    let place = finding.line.map { ", line \($0)" } ?? ""
    let name = "[\(finding.rule.rawValue)]"
    var lines = layout.lines(
      after: "  \(style.severity(finding.severity)): ", width: finding.severity.rawValue.count + 4,
      "\(finding.message)\(place) \(name)")
    // The name has no spaces, so it is never broken across lines.
    if let last = lines.popLast() { lines.append(last.dropLast(name.count) + style.faint(name)) }
    return lines
  }

  private func folded(_ rule: Rule, _ count: Int, in input: String?) -> [String] {
    guard count > Self.maximumCount else { return [] }
    let place = input.map { " in \($0)" } ?? ""
    let text =
      "\(count - Self.shownCount) more like this\(place), \(count) in all: \(rule.description.summary) [\(rule.rawValue)]"
    return layout.lines(after: "... ", width: 4, text)
  }
}
