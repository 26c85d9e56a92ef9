import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct ReportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page that shows what weighs in a package or content folder.",
    discussion: """
      The page is one HTML file with everything in it. It shows a treemap of the content, its largest files, its kinds \
      of files, content that stands twice, and all findings. With --against it also shows what an update downloads \
      again, and with a store what an update from each release downloads. No package is downloaded from there.

      The page is made in spite of findings: iapkg validate is what rejects a package.
      """)

  @Argument(help: "The package or content folder.", completion: .file())
  var path: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page to make.", valueName: "file.html"), completion: .file())
  var output: String

  @OptionGroup var comparison: ComparisonOptions
  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: WorkflowReportOptions

  var inputs: [CommandInput] {
    ([path] + [comparison.published].compactMap { $0 }).map { CommandInput($0, .package, .contentFolder) }
  }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output)
    access.add(comparison.access)
    return access
  }

  func validate() throws { try PackageOutput.check(output, report, isRehearsal: false) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try PageOutput.check(output, outside: path)
    let result = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
      let result = try ReportWork(path, comparison, context, $0)
      try PageOutput.write(to: output, replacing: replacing.force, ContentPage(result, rules).write)
      return result
    }
    let rendering = ContentPageRendering(result, output: output)
    report.render(rendering.document, besides: output, on: context.console) {
      rendering.lines(TextLayout(for: .output))
    }
    result.usage.note(report.text, on: context.console)
    return rendering.summary(rules).append(as: report, on: context.console)
  }
}
