import ArgumentParser
import ContentPackage
import SafeFiles

struct RulesCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List every rule with its severity.",
    discussion: "A rule with a star may be named in --ignore. See iapkg explain for the story of one rule.")

  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let rendering = RuleRendering(style: report.style(for: .output))
    report.render(RulesDocument(), on: context.console) { rendering.table }
    return .success
  }
}
