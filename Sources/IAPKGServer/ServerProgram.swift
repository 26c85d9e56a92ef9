public import ArgumentParser
import Support

/// The root command of the program.
public struct ServerProgram: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "iapkg-server",
    abstract: "Give the content of in-app purchases to those who paid for it.",
    version: "iapkg-server \(programVersion)",
    subcommands: [
      RunCommand.self, CheckCommand.self, HealthCommand.self, ServeCommand.self, VerifyCommand.self,
      AuditCommand.self, MigrateCommand.self,
      TestingCommand.self,
    ])

  public init() {}

  /// Runs the command from the process arguments and exits.
  public static func start() async -> Never {
    StandardStream.reserve()
    do {
      try ServerProcess.prepare()
      var command = try parseAsRoot(ProgramArguments.all)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
      let failure = CommandFailure(error)
      let lines = failure.messages.map { "error: \($0)\n" }
      _ = StandardStream.error.write(Array(lines.joined().utf8))
      ProcessEnvironment.exit(failure.status.rawValue)
    } catch let error where exitCode(for: error) == .validationFailure {
      let message = String(displayingUsageError: fullMessage(for: error))
      _ = StandardStream.error.write(Array("error: \(message)\n".utf8))
      ProcessEnvironment.exit(ServerExitStatus.usage.rawValue)
    } catch {
      exit(withError: error)
    }
    ProcessEnvironment.exit(ServerExitStatus.success.rawValue)
  }
}
