import ArgumentParser
import ContentPackage

struct ValidateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check packages and content folders against every rule.",
    discussion: """
      Exit code 0 if all are valid, 1 if any has an error, 66 if any cannot be opened; the others are reported all \
      the same.
      """)

  @Argument(help: ArgumentHelp("A package or content folder.", valueName: "path"))
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the report to a file; a summary goes to standard error.", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Also refuse content that differs from this package without a higher version.", valueName: "published"))
  var against: String?

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ValidationReportOptions

  var inputs: [CommandInput] {
    (paths + [against].compactMap { $0 }).map { CommandInput($0, .package, .contentFolder) }
  }

  func validate() throws {
    if against != nil, paths.count > 1 {
      throw ValidationError("--against compares one path, found \(paths.count)")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    var failures: [CommandFailure] = []
    let results = try progress.showing(report.text, in: context) { progress in
      let validator = PackageValidator(
        limits: work.limits, jobs: work.threads, cancellation: context.cancellation, progress: progress)
      var results: [ValidationReport] = []
      func attempt(_ work: () throws -> Void) throws {
        do {
          try work()
        } catch let interruption as Interruption {
          throw interruption
        } catch {
          failures.append(CommandFailure(error, cancellation: context.cancellation, inputs: inputs))
        }
      }
      for path in paths { try attempt { results.append(try validator.validate(path)) } }
      if let against, let only = results.first {
        try attempt {
          results = [try PublishedPackage.compare(only, with: against, context.cancellation, progress)]
        }
      }
      return results
    }
    let rendering = ValidationRendering(results, failures, rules: rules, report: report)
    if let output {
      try rendering.write(to: output, replacing: replacing.force)
      rendering.summarize(on: context.console)
    } else {
      rendering.render(on: context.console)
    }
    rules.noteUnused(results.flatMap(\.findings), report.text, on: context.console)
    for failure in failures { report.note(failure, on: context.console) }
    return rendering.status
  }
}
