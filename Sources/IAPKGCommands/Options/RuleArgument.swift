import ArgumentParser
import ContentPackage
import SafeFiles

/// A rule by its identifier.
enum RuleArgument {
  /// - Throws: `ValidationError`, with the rule that was probably meant, if there is none of this name.
  static func rule(named text: String) throws -> Rule {
    if let rule = Rule(rawValue: text) { return rule }
    let ending = Suggestion.ending(
      for: text, among: Rule.allCases.map(\.rawValue), otherwise: "; iapkg rules lists them all")
    throw ValidationError("there is no rule '\(String(displaying: text.utf8))'\(ending)")
  }

  /// Completion for all rules.
  static var all: CompletionKind { .list(Rule.allCases.map(\.rawValue)) }
  /// The rules that may be ignored.
  static var ignorable: [String] { Rule.allCases.filter(\.description.ignorable).map(\.rawValue) }
}
