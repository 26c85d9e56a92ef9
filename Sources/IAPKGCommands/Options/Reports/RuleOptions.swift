import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
import Support

/// The options that treat warnings as errors, ignore rules, and list all findings.
struct RuleOptions: ParsableArguments {
  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "Ignore the findings of this rule. The option can be repeated. "
        + "The rules are \(RuleArgument.ignorable.joined(separator: ", ")).", valueName: "rule"),
    completion: .list(RuleArgument.ignorable), transform: RuleArgument.rule(named:))
  var ignored: [Rule] = []

  @Flag(
    help: """
      Show every finding in text, up to \(Limits.maximumFindingCount) per rule. Without this option, text shows the \
      first few findings of each rule and their number.
      """)
  var all = false

  func validate() throws {
    for rule in ignored where !rule.description.isIgnorable {
      throw ValidationError("the rule \(rule.rawValue) cannot be ignored")
    }
  }

  /// Returns whether any of the findings makes the input invalid.
  func reject(_ findings: [Finding], by settings: FolderSettings? = nil) -> Bool {
    unignored(findings, by: settings).contains { rejects($0.severity) }
  }

  /// Returns the findings that neither the options nor the settings of a content folder ignore.
  func unignored(_ findings: [Finding], by settings: FolderSettings? = nil) -> [Finding] {
    findings.filter { reason(for: $0, by: settings) == nil }
  }

  /// Returns the reason for ignoring a finding; nil if neither the settings nor the options ignore it.
  func reason(for finding: Finding, by settings: FolderSettings?) -> String? {
    settings?.reason(for: finding) ?? (ignored.contains(finding.rule) ? "--ignore" : nil)
  }

  /// Returns whether a finding of this severity makes an input invalid.
  func rejects(_ severity: Finding.Severity) -> Bool {
    severity == .error || (strict && severity == .warning)
  }

  /// Returns the ignored rules without any finding, whose options are unnecessary.
  func unused(_ findings: [Finding]) -> [Rule] {
    ignored.filter { rule in !findings.contains { $0.rule == rule } }
  }

  /// Prints a note about ignored rules without any finding.
  func noteUnused(_ findings: [Finding], _ text: TextOptions, on console: Console) {
    guard !text.quiet else { return }
    for rule in unused(findings) {
      console.note(
        "\(text.style(for: .error).note("note:")) --ignore \(rule.rawValue): the rule found nothing")
    }
  }
}
