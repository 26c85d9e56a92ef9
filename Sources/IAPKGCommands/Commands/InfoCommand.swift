import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct InfoCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the identity, the sizes and the entries of a package.")

  @Argument(help: "The package to show, or - for standard input.", completion: .file())
  var package: String

  @Flag(help: "List all entries.")
  var files = false

  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(package, .package)] }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let summary = try summary(context.cancellation)
    let rendering = InfoRendering(summary, listsFiles: files, style: report.style(for: .output))
    report.render(rendering.document, on: context.console, text: rendering.write)
    return .success
  }

  private func summary(_ cancellation: Cancellation) throws -> PackageSummary {
    guard package == StandardInput.path else {
      return try PackageSummary(of: package, cancellation: cancellation)
    }
    return try PackageSummary(
      of: StandardInput.open(in: WorkContext(cancellation: cancellation)), cancellation: cancellation)
  }
}
