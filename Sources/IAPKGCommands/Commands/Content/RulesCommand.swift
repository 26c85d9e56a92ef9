import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct RulesCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List all rules with their severities.",
    discussion: "--ignore accepts the rules with a star. iapkg explain explains one rule.")

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { ProcessAccess() }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let rendering = RuleRendering(style: report.style(for: .output))
    report.render(RulesDocument(), on: context.console) { rendering.table }
    return .success
  }
}
