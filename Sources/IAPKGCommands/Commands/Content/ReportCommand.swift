import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct ReportCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a size report of packages or content folders.",
    discussion: """
      The report is one self-contained HTML file. It shows a treemap of the content, the largest files, the kinds of \
      files, duplicate files and all findings. The sizes of a content folder are those of the package that iapkg \
      makes of it. With --against, the report also shows the size of an update; with a store, the size of an update \
      from each release. The command downloads no package.

      A folder of packages or content folders stands for its members, and the report becomes an overview. If \
      --output ends in /, it names a folder for the overview, index.html, and a page for each product.

      Findings do not stop the report; validate is the command that rejects packages. --format markdown writes \
      tables for a pull request, to standard output unless --output is given.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages and content folders, or folders that contain them.", valueName: "path"),
    completion: .file())
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The report file to write, or a folder for pages if the path ends in /.", valueName: "file.html"),
    completion: .file())
  var output: String?

  @OptionGroup var comparison: ComparisonOptions
  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: PageReportOptions

  var inputs: [CommandInput] {
    (paths + [comparison.published].compactMap { $0 }).map { CommandInput($0, .package, .contentFolder) }
  }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output)
    access.add(comparison.access)
    return access
  }

  var outputs: [String] { [output].compactMap(\.self) }
  var protectedPaths: [String] { inputPaths + comparison.protectedPaths }

  func validate() throws {
    if report.reportFormat == .markdown {
      if let output, PackageFolder.isFolderPath(output) {
        throw ValidationError(
          "--format markdown writes one file, but --output is the folder \(displayed(output))")
      }
      return
    }
    guard let output else {
      throw ValidationError("specify the report file with --output, such as -o report.html")
    }
    try PackageOutput.check(output, report, isDryRun: false)
    if !PackageFolder.isFolderPath(output), (try? FileSystem.kind(of: output)) == .folder {
      throw ValidationError(
        "--output is the folder \(displayed(output)); name a file in it, or end its name with / to get a page for each "
          + "input")
    }
  }

  private func displayed(_ text: String) -> String { String(displaying: text.utf8) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let inputs = InputPaths(paths, includingPackages: true)
    let series = try progress.showing(report.text, in: context, limits: work.limits, jobs: work.jobs) {
      work in
      let baseline = try comparison.baseline(for: inputs, paths, context)
      var series = ReportSeries(of: inputs, baseline, rules, to: output, replacing: replacing.force)
      if report.reportFormat == .markdown { series.makesPages = false }
      try series.run(work, self.inputs)
      if report.reportFormat == .markdown, let output {
        try series.writeMarkdown(to: output)
      }
      return series
    }
    for usage in series.usages { usage.warn(report.text, on: context.console) }
    return ReportRendering(series).render(report, on: context.console)
  }
}
