import ArgumentParser
import ContentPackage

/// Which findings count.
struct RuleOptions: ParsableArguments {
  @Flag(help: "Count warnings as errors.")
  var strict = false

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("Do not count what this rule finds; may be given several times.", valueName: "rule"))
  var ignored: [Rule] = []

  func validate() throws {
    for rule in ignored where !rule.description.ignorable {
      throw ValidationError("the rule \(rule.rawValue) cannot be ignored: what it finds is always refused")
    }
  }

  /// Whether any of the findings makes an input unacceptable.
  func reject(_ findings: [Finding]) -> Bool {
    counted(findings).contains { $0.severity == .error || (strict && $0.severity == .warning) }
  }

  /// The findings whose rules are not ignored.
  func counted(_ findings: [Finding]) -> [Finding] { findings.filter { !ignored.contains($0.rule) } }
}
