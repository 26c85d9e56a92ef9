import ContentPackage

/// A rule in a JSON document.
struct RuleDocument: Encodable {
  let rule: String
  let severity: String
  let ignorable: Bool
  let summary: String
  let cause: String
  let importance: String
  let remedy: String
  let example: String

  init(_ rule: Rule) {
    let (description, explanation) = (rule.description, rule.explanation)
    self.rule = rule.rawValue
    severity = description.severity.rawValue
    ignorable = description.isIgnorable
    summary = description.summary
    cause = explanation.cause
    importance = explanation.importance
    remedy = description.remedy
    example = explanation.example
  }
}

/// The JSON report of `rules`.
struct RulesDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "rules"
  let rules = Rule.allCases.map(RuleDocument.init)
}

/// The JSON report of `explain`.
struct ExplanationDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "explain"
  let explanation: RuleDocument

  init(_ rule: Rule) { explanation = RuleDocument(rule) }
}
