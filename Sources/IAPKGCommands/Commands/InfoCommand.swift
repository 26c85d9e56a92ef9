import ArgumentParser
import ContentPackage
import SafeFiles

struct InfoCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what is inside a package: identity, sizes, ratio.")

  @Argument(help: "The package.")
  var package: String

  @Flag(help: "List the entries.")
  var files = false

  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(package, .package)] }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let summary = try PackageSummary(of: package)
    let rendering = InfoRendering(summary, listsFiles: files, style: report.style(for: .output))
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
