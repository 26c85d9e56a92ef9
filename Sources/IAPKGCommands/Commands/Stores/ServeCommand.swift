import ArgumentParser
import SafeFiles
import Support

/// The command that replaces the process with the separate program `iapkg-server serve`.
struct ServeCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a store or asset packs locally, with fault injection.",
    discussion: """
      Starts iapkg-server from the folder of iapkg or from PATH, and serves the store without authentication. \
      'iapkg-server help serve' lists the options, such as --listen, --throttle, --latency, --drop, --fail, \
      --corrupt, --no-ranges and --seed. 'iapkg serve --background-assets FOLDER' serves asset packs in the manner of \
      Apple's ba-serve, and with TLS if --tls-name is given.
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      "The folder of the store or of asset packs, and options of iapkg-server serve.", valueName: "folder"))
  var serverArguments: [String] = []

  @OptionGroup(visibility: .hidden) var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  /// No restriction, because it would also apply to the other program.
  var access: ProcessAccess? { nil }

  mutating func validate() throws {
    if serverArguments.isEmpty {
      throw ValidationError("give the folder of a store, as in iapkg serve store")
    }
    // The parser captures all options for iapkg-server, including --format, which also applies to errors.
    if let format = ReportFormat(requestedBy: serverArguments),
      let choice = CommonReportFormat(argument: format.rawValue)
    {
      report.format = choice
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    // As in execvp(3), files in PATH that cannot be inspected or executed do not end the search.
    for program in candidates where FileSystem.isProgram(program) {
      let error = ProgramReplacement.run(program, ["serve"] + serverArguments)
      throw FileError(.open, program, error)
    }
    throw CommandError(
      .noInput,
      "there is no iapkg-server beside iapkg or on PATH; the Debian package iapkg-server has it, "
        + "and 'make server' builds it")
  }

  /// The possible paths of the server, in search order.
  private var candidates: [String] {
    let program = ProgramArguments.name
    let beside = program.lastIndex(of: "/").map { [String(program[..<$0])] } ?? []
    let folders = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":").map(String.init)
    return (beside + folders).map { "\($0)/iapkg-server" }
  }
}
