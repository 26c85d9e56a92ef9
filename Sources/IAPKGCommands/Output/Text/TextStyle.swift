import ContentPackage
import SafeFiles
import Support

/// Colors for text on a terminal.
struct TextStyle {
  /// The user's choice of colors.
  enum Choice: String, CaseIterable, Sendable { case auto, always, never }

  private let isColored: Bool

  /// Creates the style for text on `stream`: `auto` colors a terminal, unless `NO_COLOR` (no-color.org) is set or
  /// `TERM` is `dumb`.
  init(_ choice: Choice, for stream: StandardStream) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      isColored =
        stream.isTerminal && ProcessEnvironment.value("NO_COLOR") == nil
        && ProcessEnvironment.value("TERM") != "dumb"
    }
  }

  func error(_ text: String) -> String { paint(text, "31;1") }
  func warning(_ text: String) -> String { paint(text, "33;1") }
  func note(_ text: String) -> String { paint(text, "36") }
  func strong(_ text: String) -> String { paint(text, "1") }
  func faint(_ text: String) -> String { paint(text, "2") }
  func success(_ text: String) -> String { paint(text, "32") }

  /// Returns the name of a severity in its color.
  func severity(_ severity: Finding.Severity) -> String {
    switch severity {
    case .error: error("error")
    case .warning: warning("warning")
    case .note: note("note")
    }
  }

  /// The first and last character of a color code: select graphic rendition (ECMA-48 8.3.117).
  static let (escape, escapeEnd): (Unicode.Scalar, Unicode.Scalar) = ("\u{1B}", "m")

  private func paint(_ text: String, _ code: String) -> String {
    isColored
      ? "\(Self.escape)[\(code)\(Self.escapeEnd)\(text)\(Self.escape)[0\(Self.escapeEnd)" : text
  }
}
