import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct ExplainCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain one rule: its cause, why it matters, its remedy and an example.")

  @Argument(
    help: ArgumentHelp(
      "The rule, such as file/junk.", valueName: "rule"), completion: RuleArgument.all)
  var name: String

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { ProcessAccess() }

  func validate() throws { _ = try RuleArgument.rule(named: name) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let rule = try RuleArgument.rule(named: name)
    let rendering = RuleRendering(style: report.style(for: .output))
    report.render(ExplanationDocument(rule), on: context.console) { rendering.explanation(of: rule) }
    return .success
  }
}
