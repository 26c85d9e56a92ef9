import ContentPackage
import ZipArchive

/// The changes of content since a published version, as text.
struct ChangeText {
  private let summary: ChangeSummary
  private let style: TextStyle

  init(_ summary: ChangeSummary, style: TextStyle) {
    self.summary = summary
    self.style = style
  }

  /// A line for each of the first changes, as in `diff`, and a line with the number of other changes.
  var lines: [String] {
    let rest = summary.count - summary.first.count
    return summary.first.map(line) + (rest > 0 ? ["  and \(rest) more"] : [])
  }

  /// The number of changes: "3 changes since 1.0", or "unchanged since 1.0".
  var count: String {
    let changes = summary.count == 0 ? "unchanged" : Quantity.count(summary.count, "change")
    return changes + (summary.version.map { " since \($0)" } ?? "")
  }

  private func line(_ change: ChangeSummary.Change) -> String {
    let path = change.path.escaped
    return switch change.kind {
    case .removed: "  " + style.error("- \(path)")
    case .added: "  " + style.success("+ \(path)")
    case .changed: "  " + style.warning("~ \(path)")
    }
  }
}
