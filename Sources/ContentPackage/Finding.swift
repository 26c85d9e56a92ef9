public import ZipArchive

/// One thing that is wrong, or worth knowing, about a package or content folder.
public struct Finding: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable, Comparable, CaseIterable {
    /// The package is not acceptable.
    case error
    /// Somebody should look at it.
    case warning
    /// Worth knowing.
    case note

    /// Errors come first.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
  }

  /// The rule that was broken.
  public let rule: Rule
  /// How bad it is; only an error makes a package unacceptable.
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

extension Sequence<Finding> {
  /// Whether none of them is an error, so that what they were found in is acceptable.
  public var areAcceptable: Bool { allSatisfy { $0.severity != .error } }
}
