import Support
public import ZipArchive

/// A defect of a package or content folder, or a fact about it worth knowing.
public struct Finding: Sendable, Equatable {
  /// The severity of a finding.
  public enum Severity: String, Sendable, Comparable, CaseIterable {
    /// The package is not valid.
    case error
    /// A person should check the finding.
    case warning
    /// The finding is only information.
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

  /// The rule that the input breaks.
  public let rule: Rule
  /// The severity. Only an error makes a package invalid.
  public let severity: Severity
  /// The path of the entry, or nil if the finding is about the whole package.
  public private(set) var path: EntryPath?
  /// The line in the manifest, counted from 1; nil if unknown or if the finding is not about the manifest.
  public let line: Int?
  private let text: String
  /// The suggested remedy, in the same form as the message.
  public private(set) var remedy: String
  /// The package, content folder or product that the finding is about, in a list for several inputs; safe to print.
  package private(set) var input: String?
  /// The number of further findings of the same rule that the report omits.
  public private(set) var omitted: Int
  /// Whether the user ignores the omitted findings, like this finding.
  package private(set) var omitsIgnored = false

  /// The finding and the expectation: one lower-case sentence without a full stop, safe to print.
  public var message: String {
    omitted == 0 ? text : "\(text); \(omitted) more of this rule are omitted"
  }

  /// Creates a finding. The defaults of `severity` and `remedy` are those of the rule.
  package init(
    _ rule: Rule, at path: EntryPath? = nil, line: Int? = nil, severity: Severity? = nil, _ message: String,
    remedy: String? = nil, omitted: Int = 0
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.path = path
    self.line = line
    let shown = message.shortened(to: Limits.maximumMessageBytes)
    // The message may quote text of a store that an attacker writes.
    text =
      shown.unicodeScalars.contains(where: \.isHiddenInText)
      ? String(displaying: shown.utf8).shortened(to: Limits.maximumMessageBytes) : shown
    self.remedy = remedy ?? rule.remedy
    self.omitted = omitted
  }

  /// Returns the same finding, attributed to one of several inputs.
  package func about(_ input: String) -> Finding {
    var finding = self
    finding.input = finding.input ?? String(displaying: input.utf8)
    return finding
  }

  /// Returns the same finding with another remedy.
  package func with(remedy: String) -> Finding {
    var finding = self
    finding.remedy = remedy
    return finding
  }

  /// Returns the same finding at another path.
  package func with(path: EntryPath?) -> Finding {
    var finding = self
    finding.path = path
    return finding
  }

  /// Returns the same finding with another number of omitted findings. `isIgnored` is whether the user ignores them.
  func withOmitted(_ omitted: Int, ignored isIgnored: Bool = false) -> Finding {
    var finding = self
    finding.omitted = omitted
    finding.omitsIgnored = isIgnored && omitted > 0
    return finding
  }
}

extension Sequence<Finding> {
  /// Returns the same findings attributed to `input`; unchanged if it is nil.
  package func about(_ input: String?) -> [Finding] { map { finding in input.map(finding.about) ?? finding } }

  /// Whether none of the findings is an error.
  public var areAcceptable: Bool { allSatisfy { $0.severity != .error } }

  /// The number of findings, including the omitted ones.
  public var total: Int { reduce(0) { $0 + 1 + $1.omitted } }
}

extension String {
  /// Returns the string, cut to `byteCount` bytes and an ellipsis if it is longer.
  fileprivate func shortened(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    return String(unicodeScalars[..<utf8.index(utf8.startIndex, offsetBy: byteCount)]) + "…"
  }
}
