import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
import Support

struct ValidateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check packages and content folders against every rule.",
    discussion: """
      A folder of packages or content folders stands for its members.

      The exit code is 0 if all inputs are valid, 1 if one of them is not, and 66 if one of them cannot be opened. \
      validate reports the others in any case.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages and content folders to check, folders that hold some, or - for a package from standard input.",
      valueName: "path"),
    completion: .file())
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the report to this file, and a summary to standard error.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var comparison: ComparisonOptions
  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ValidationReportOptions

  var inputs: [CommandInput] {
    (paths + [comparison.published].compactMap { $0 }).map {
      CommandInput($0, .package, .contentFolder).orStandardInput
    }
  }

  var protectedPaths: [String] { inputPaths + comparison.protectedPaths }
  var outputs: [String] { [output].compactMap(\.self) }
  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output)
    access.add(comparison.access)
    return access
  }

  func validate() throws { try StandardInput.check(paths) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let checked = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try check($0, context) }
    let rendering = ValidationRendering(checked, report: report)
    if let output, output != PackageOutput.standardOutput {
      try rendering.write(to: context.place(output, replacing: replacing.force))
      rendering.summarize(on: context.console)
    } else {
      rendering.render(on: context.console)
    }
    rules.noteUnused(checked.reports.flatMap(\.findings), report.text, on: context.console)
    checked.products.note(report.text, on: context.console)
    checked.usage.note(report.text, on: context.console)
    for error in checked.errors { report.note(error, on: context.console) }
    let appended = rendering.jobSummary.append(as: report, on: context.console)
    return checked.status == .success ? appended : checked.status
  }

  /// Checks every input, even after an unreadable one. An unreadable baseline is reported once, and the inputs are
  /// still checked.
  private func check(_ work: WorkContext, _ context: CommandContext) throws -> CheckedInputs {
    let inputs = InputPaths(paths, includingPackages: true)
    var checked = CheckedInputs(rules: rules)
    var baseline: BaselineSource?
    do {
      baseline = try comparison.baseline(for: inputs, paths, context)
      checked.errors += baseline?.errors ?? []
    } catch let error as ValidationError {
      throw error
    } catch {
      try checked.add(error, work.cancellation, self.inputs)
    }
    let check = InputCheck(baseline, PackageValidator(context: work), exclusion)
    var usage = SettingsUsage(isForList: inputs.isList)
    for path in inputs.paths {
      do {
        try check.run(path, &checked, self.inputs)
      } catch {
        try checked.add(error, work.cancellation, self.inputs)
        checked.unreadCount += 1
      }
    }
    for report in checked.reports {
      guard let settings = checked.settings[report.path] else { continue }
      for finding in report.findings { _ = settings.reason(for: finding) }
      usage.add(settings, [.exclude, .ignore, .budget])
    }
    checked.usage = usage
    return checked
  }
}
