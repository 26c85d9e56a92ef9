import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct InfoCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the identity, the sizes and the entries of packages.")

  @Argument(
    help: ArgumentHelp("The packages to show, or - for standard input.", valueName: "package"),
    completion: .file())
  var packages: [String]

  @Flag(help: "List all entries.")
  var files = false

  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { packages.map { CommandInput($0, .package) } }

  func validate() throws { try StandardInput.check(packages) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try perform(onEach: packages, in: context) { package in
      let rendering = InfoRendering(
        try summary(of: package, context.cancellation), isAlone: packages.count == 1, listsFiles: files,
        style: report.style(for: .output))
      return InputResult(rendering.document, text: rendering.write)
    }
  }

  private func summary(of package: String, _ cancellation: Cancellation) throws -> PackageSummary {
    guard package == StandardInput.path else {
      return try PackageSummary(of: package, cancellation: cancellation)
    }
    return try PackageSummary(
      of: StandardInput.open(in: WorkContext(cancellation: cancellation)), cancellation: cancellation)
  }
}
