import ArgumentParser
import ContentPackage
import SafeFiles
import Support

struct InfoCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the identity, the sizes and the entries of packages and content folders.",
    discussion: "A folder of packages or content folders stands for its members.")

  @Argument(
    help: ArgumentHelp(
      "The packages and content folders to show, or - for a package from standard input.", valueName: "path"),
    completion: .file())
  var paths: [String]

  @Flag(help: "List all entries.")
  var files = false

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { paths.map { CommandInput($0, .package, .contentFolder).orStandardInput } }

  var access: ProcessAccess? { ProcessAccess(reading: inputs) }

  func validate() throws { try StandardInput.check(paths) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let inputs = InputPaths(paths, includingPackages: true)
    return try perform(onEach: inputs.paths, asList: inputs.isList, in: context) { path in
      let isFolder = path != StandardInput.path && (try? FileSystem.kind(of: path)) == .folder
      return isFolder
        ? try folder(path, isSingleInput: !inputs.isList, context.cancellation)
        : try package(path, isSingleInput: !inputs.isList, context.cancellation)
    }
  }

  private func folder(
    _ path: String, isSingleInput: Bool, _ cancellation: Cancellation
  ) throws -> InputResult<PackageDocument> {
    try CommandError.refuseOtherFolder(path)
    let choices = try exclusion.settings(of: path).choices()
    let source = try FolderSource.open(path, choices, cancellation: cancellation)
    let builder = PackageBuilder(context: WorkContext(cancellation: cancellation)).with(choices)
    let summary = try FolderSummary(
      of: source, weighingBy: isWeighed ? builder : nil, cancellation: cancellation)
    try check(summary.productIdentifier, summary.contentVersion, of: path)
    let rendering = InfoRendering(
      summary, isSingleInput: isSingleInput, listsFiles: files, style: report.style(for: .output))
    return InputResult(rendering.document, of: summary.productIdentifier, text: rendering.write)
  }

  private func package(
    _ path: String, isSingleInput: Bool, _ cancellation: Cancellation
  ) throws -> InputResult<PackageDocument> {
    let summary = try summary(of: path, cancellation)
    try check(summary.productIdentifier, summary.contentVersion, of: path)
    let rendering = InfoRendering(
      summary, isSingleInput: isSingleInput, listsFiles: files, style: report.style(for: .output))
    return InputResult(rendering.document, text: rendering.write)
  }

  /// Checks that an input has a product identifier and a version.
  ///
  /// - Throws: `CommandError` for an input without an identity.
  private func check(
    _ product: ProductIdentifier?, _ version: ContentVersion?, of path: String
  ) throws(CommandError) {
    if product == nil || version == nil { throw .unidentified(path) }
  }

  private func summary(of package: String, _ cancellation: Cancellation) throws -> PackageSummary {
    let source =
      package == StandardInput.path
      ? try StandardInput.open(in: WorkContext(cancellation: cancellation))
      : try PackageSource.open(package, cancellation: cancellation)
    return try PackageSummary(of: source, weighing: isWeighed, cancellation: cancellation)
  }

  /// Whether weights are computed: for JSON only, because the computation reads files that may be duplicates.
  private var isWeighed: Bool { report.reportFormat == .json }
}
