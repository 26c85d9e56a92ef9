import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// The parsing and completion of rule identifiers.
enum RuleArgument {
  /// Returns the rule with an identifier.
  ///
  /// - Throws: `ValidationError` with a suggestion if there is no such rule.
  static func rule(named text: String) throws -> Rule {
    if let rule = Rule(rawValue: text) { return rule }
    let ending = Suggestion.ending(
      for: text, among: Rule.allCases.map(\.rawValue), otherwise: "; iapkg rules lists them all")
    throw ValidationError("there is no rule '\(String(displaying: text.utf8))'\(ending)")
  }

  /// The completion list of all rules.
  static var all: CompletionKind { .list(Rule.allCases.map(\.rawValue)) }
  /// The identifiers of the rules that can be ignored.
  static let ignorable = Rule.allCases.filter(\.description.isIgnorable).map(\.rawValue)
}
