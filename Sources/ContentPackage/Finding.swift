public import ZipArchive

/// One thing that is wrong, or worth knowing, about a package or content folder.
public struct Finding: Sendable, Equatable {
  public enum Severity: String, Sendable, Comparable, CaseIterable {
    case error, warning, note

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
  }

  public let rule: Rule
  public let severity: Severity
  /// The entry that is meant, or nil if it is the whole package.
  public let path: EntryPath?
  /// The line of the manifest that is meant, from 1.
  public let line: Int?
  /// What was found and what was expected: one lower-case sentence without a full stop, safe to print.
  public let message: String
  /// What to do about it, likewise.
  public let remedy: String

  /// A finding with the severity and remedy of the rule's catalogue row, where none are given.
  package init(
    _ rule: Rule, at path: EntryPath? = nil, line: Int? = nil, severity: Severity? = nil, _ message: String,
    remedy: String? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.path = path
    self.line = line
    self.message = message
    self.remedy = remedy ?? rule.remedy
  }
}
