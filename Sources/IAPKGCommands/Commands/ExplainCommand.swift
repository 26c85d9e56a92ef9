import ArgumentParser
import ContentPackage
import SafeFiles

struct ExplainCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Tell the story of one rule: cause, importance, remedy, an example.")

  @Argument(
    help: "The rule, as in file/junk.", completion: RuleArgument.all, transform: RuleArgument.rule(named:))
  var rule: Rule

  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let rendering = RuleRendering(style: report.style(for: .output))
    report.render(ExplanationDocument(rule), on: context.console) { rendering.explanation(of: rule) }
    return .success
  }
}
