import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
import Support

struct ValidateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check packages and content folders against every rule.",
    discussion: """
      A folder that holds content folders stands for them.

      The exit code is 0 if all are valid, 1 if one of them is not, and 66 if one of them cannot be opened. The \
      others are reported in any case.
      """)

  @Argument(
    help: ArgumentHelp(
      "The packages and content folders to check, folders that hold content folders, or - for a package from standard input.",
      valueName: "path"),
    completion: .file())
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the report to this file, and a summary to standard error.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Report an error if the content differs from this package without a higher "
        + "version.", valueName: "published"),
    completion: .file())
  var against: String?

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ValidationReportOptions

  var inputs: [CommandInput] {
    (paths + [against].compactMap { $0 }).map { CommandInput($0, .package, .contentFolder) }
  }

  var showsAllFindings: Bool { rules.all }

  var access: ProcessAccess? { ProcessAccess(reading: inputs, making: output) }

  func validate() throws {
    if against != nil, paths.count > 1 {
      throw ValidationError("--against needs exactly one path, found \(paths.count)")
    }
    try StandardInput.check(paths)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let checked = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try check(in: $0) }
    let rendering = ValidationRendering(checked, report: report)
    if let output, output != PackageOutput.standardOutput {
      try rendering.write(to: output, replacing: replacing.force)
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

  /// Checks every input, also where one before it could not be read.
  private func check(in context: WorkContext) throws -> CheckedInputs {
    let validator = PackageValidator(context: context)
    var checked = CheckedInputs(rules: rules)
    // Before the inputs are, since opening takes memory for its names.
    let published = against.map { path in
      Result { try OldContent(opening: path, excluding: exclusion.list, cancellation: context.cancellation) }
    }
    var products = RepeatedProducts()
    let inputPaths = InputPaths(paths)
    var usage = SettingsUsage(isForList: inputPaths.isList)
    for path in inputPaths.paths {
      do {
        let isFolder = path != StandardInput.path && (try? FileSystem.kind(of: path)) == .folder
        let settings = isFolder ? try exclusion.settings(of: path) : nil
        checked.settings[path] = settings
        let review = try review(path, settings, validator)
        let report = ValidationReport(path: path, review: review)
        checked.reports.append(report)
        if report.kind == .folder, let product = report.productIdentifier { products.add(product, path) }
        if let published {
          let finding = try PackageComparison.finding(
            for: review, against: published.get(), context: context)
          if let finding { checked.reports = [report.adding(finding)] }
        }
      } catch let interruption as Interruption {
        throw interruption
      } catch {
        checked.errors.append(CommandError(error, cancellation: context.cancellation, inputs: inputs))
      }
    }
    checked.products = products
    for report in checked.reports {
      guard let settings = checked.settings[report.path] else { continue }
      for finding in report.findings { _ = settings.reason(for: finding) }
      usage.add(settings, [.exclude, .ignore])
    }
    checked.usage = usage
    return checked
  }

  private func review(
    _ path: String, _ settings: FolderSettings?, _ validator: PackageValidator
  ) throws -> ContentReview {
    guard path == StandardInput.path else {
      return try validator.review(path, settings?.choices() ?? FolderChoices())
    }
    return try validator.review(of: StandardInput.open(in: validator.context, judging: true))
  }
}
