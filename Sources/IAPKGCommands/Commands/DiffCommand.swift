import ArgumentParser
import ContentPackage
import SafeFiles

struct DiffCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what changed between two packages or content folders.",
    discussion: """
      Exit code 1 if content changed and ContentVersion was not raised: devices that have the version would keep \
      the old content.
      """)

  @Argument(help: "The package or content folder before, as it was published.")
  var old: String

  @Argument(help: "The package or content folder after.")
  var new: String

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [old, new].map { CommandInput($0, .package, .contentFolder) } }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let comparison = try progress.showing(report.text, in: context) {
      try PackageComparison(of: old, with: new, cancellation: context.cancellation, progress: $0)
    }
    let rendering = DiffRendering(comparison, style: report.style(for: .output))
    report.render(rendering.document, on: context.console) { rendering.lines }
    report.render(comparison.finding.map { [$0] } ?? [], on: context.console)
    return comparison.finding == nil ? .success : .rejected
  }
}
