import ArgumentParser
import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support

struct ValidateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check packages and content folders against every rule.",
    discussion: """
      A folder of packages or content folders stands for its members.

      With --background-assets, validate checks a folder of asset packs: each folder in it that has a Manifest.json, \
      and its archive with the same name and the ending .aar. The exit code for an archive that was changed since iapkg made it is 65.

      The exit code is 0 if all inputs are valid, 1 if one of them is not, and 66 if one of them cannot be opened. \
      validate reports the others in any case.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages and content folders to check, folders that contain them, or - for a package from standard input.",
      valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @Option(
    help: ArgumentHelp("A folder of asset packs to check.", valueName: "folder"), completion: .directory)
  var backgroundAssets: String?

  @Option(
    help: ArgumentHelp(
      "With --background-assets: the maximum number of asset packs. The default is 100. Apple's documentation "
        + "has said both 100 and 200.", valueName: "n"))
  var maxPacks: Int?

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
    } + [backgroundAssets].compactMap { $0 }.map { CommandInput($0, .folder) }
  }

  var protectedPaths: [String] { inputPaths + comparison.protectedPaths }
  var outputs: [String] { [output].compactMap(\.self) }
  var showsAllFindings: Bool { rules.all }
  var isStrict: Bool { rules.strict }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs, making: output)
    access.add(comparison.access)
    if let backgroundAssets { AssetPackProject.sourceRoots(in: backgroundAssets).forEach { access.read($0) } }
    return access
  }

  func validate() throws {
    try StandardInput.check(paths)
    if paths.isEmpty, backgroundAssets == nil {
      throw ValidationError(
        "give a package, a content folder, or --background-assets with a folder of asset packs")
    }
    if let maxPacks {
      if backgroundAssets == nil { throw ValidationError("--max-packs requires --background-assets") }
      if maxPacks < 1 { throw ValidationError("--max-packs is \(maxPacks), expected 1 or more") }
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let checked = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try check($0, context) }
    let rendering = ValidationRendering(checked, report: report)
    if let output, output != PackageOutput.standardOutput {
      try rendering.write(to: context.destination(of: output, replacing: replacing.force))
      rendering.summarize(on: context.console)
    } else {
      rendering.render(on: context.console)
    }
    rules.noteUnused(checked.reports.flatMap(\.findings), report.text, on: context.console)
    checked.products.note(report.text, on: context.console)
    checked.usage.warn(report.text, on: context.console)
    for error in checked.errors { report.printError(error, on: context.console) }
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
        checked.unreadableCount += 1
      }
    }
    if let backgroundAssets {
      do {
        let project = try AssetPackProject.read(backgroundAssets, work.cancellation)
        let report = project.report(maximumPackCount: maxPacks ?? AssetPackLimits.defaultMaximumPackCount)
        if !report.findings.isEmpty { checked.reports.append(report) }
        try AssetPackArchives.check(project, work.cancellation)
        if report.findings.isEmpty { checked.reports.append(report) }
      } catch {
        try checked.add(error, work.cancellation, self.inputs)
        checked.unreadableCount += 1
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
