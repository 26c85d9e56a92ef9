/// A rule for packages and content folders: its identifier, severity and texts.
///
/// `iapkg explain` explains each rule. The rules of a group are declared in one file, such as `Rule+File.swift`.
public struct Rule: RawRepresentable, CaseIterable, Sendable, Hashable {
  /// Every rule, in report order.
  public static let allCases: [Rule] =
    archiveRules + packageRules + manifestRules + pathRules + linkRules + fileRules + sizeRules + versionRules
    + assetPackRules

  private static let byIdentifier = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The data of a rule; a class, so that a finding keeps only a reference.
  private final class Row: Sendable {
    let identifier: String
    let description: RuleDescription
    let explanation: RuleExplanation

    init(_ identifier: String, _ description: RuleDescription, _ explanation: RuleExplanation) {
      self.identifier = identifier
      self.description = description
      self.explanation = explanation
    }
  }

  private let row: Row

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - identifier: The group, a slash and a name, such as `file/junk`. It must never change.
  ///   - severity: The severity of a finding, unless the finding has its own.
  ///   - ignorable: Whether findings can be ignored.
  ///   - summary: The defect: one lower-case sentence without a full stop, like the texts below.
  ///   - cause: The cause of a finding.
  ///   - importance: The consequence of ignoring a finding.
  ///   - remedy: The remedy.
  ///   - example: The smallest input that breaks the rule.
  init(
    _ identifier: String, _ severity: Finding.Severity, ignorable: Bool = false, _ summary: String,
    cause: String, importance: String, remedy: String, example: String
  ) {
    row = Row(
      identifier,
      RuleDescription(severity: severity, isIgnorable: ignorable, summary: summary, remedy: remedy),
      RuleExplanation(cause: cause, importance: importance, example: example))
  }

  /// Returns the rule with this identifier; nil if there is none.
  public init?(rawValue: String) {
    guard let rule = Self.byIdentifier[rawValue] else { return nil }
    self = rule
  }

  /// The identifier in reports, such as `file/junk`.
  public var rawValue: String { row.identifier }

  public static func == (left: Rule, right: Rule) -> Bool { left.row === right.row }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(row)) }

  /// The severity of a finding of this rule, unless the finding has its own.
  public var severity: Finding.Severity { description.severity }
  /// The defect that the rule finds: one lower-case sentence without a full stop.
  public var summary: String { description.summary }
  /// The remedy for a finding of this rule, in the form of the summary.
  public var remedy: String { description.remedy }
  /// The severity, summary and remedy of the rule.
  package var description: RuleDescription { row.description }
  /// The cause of a finding of the rule, and its importance.
  public var explanation: RuleExplanation { row.explanation }
}

/// The severity, summary and remedy of a rule.
package struct RuleDescription: Sendable {
  /// The severity of a finding, unless the finding has its own.
  package let severity: Finding.Severity
  /// Whether the findings of the rule can be ignored.
  package let isIgnorable: Bool
  /// The defect that the rule finds: one lower-case sentence without a full stop.
  package let summary: String
  /// The remedy for a finding, in the form of the summary.
  package let remedy: String
}

/// The explanation of a rule, for the command `explain` and the help texts in reports.
public struct RuleExplanation: Sendable {
  /// The cause of a finding: one sentence without a full stop, like the other texts.
  public let cause: String
  /// The consequence of ignoring the finding.
  public let importance: String
  /// The smallest input that breaks the rule.
  public let example: String
}
