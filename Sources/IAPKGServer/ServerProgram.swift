public import ArgumentParser
import Dispatch
import Support

/// The root command of the program.
public struct ServerProgram: AsyncParsableCommand {
  /// The name, the version and the subcommands of the program.
  public static let configuration = CommandConfiguration(
    commandName: "iapkg-server",
    abstract: "Serve the content of in-app purchases to customers who paid for it.",
    version: "iapkg-server \(programVersion)",
    subcommands: [
      RunCommand.self, CheckCommand.self, HealthCommand.self, ServeCommand.self, VerifyCommand.self,
      AuditCommand.self, MigrateCommand.self,
      TestingCommand.self,
    ])

  /// Creates the command, which has no options of its own.
  public init() {}

  /// Runs the command from the process arguments and exits. No thread starts before the arguments are valid.
  public static func start() -> Never {
    StandardStream.reserve()
    do {
      try ServerProcess.prepare()
      var command = try parseAsRoot(ProgramArguments.all)
      if let command = command as? any AsyncParsableCommand {
        try ServerProcess.checkThreads()
        Task { await run(command) }
        dispatchMain()
      }
      try command.run()
    } catch {
      end(after: error)
    }
    ProcessEnvironment.exit(ServerExitStatus.success.rawValue)
  }

  private static func run(_ command: any AsyncParsableCommand) async -> Never {
    var command = command
    do { try await command.run() } catch { end(after: error) }
    ProcessEnvironment.exit(ServerExitStatus.success.rawValue)
  }

  /// Writes an error and exits with its code.
  private static func end(after error: any Error) -> Never {
    switch exitCode(for: error) {
    case .failure where !(error is ExitCode):
      let failure = CommandFailure(error)
      let lines = failure.messages.map { "error: \($0)\n" }
      _ = StandardStream.error.write(Array(lines.joined().utf8))
      ProcessEnvironment.exit(failure.status.rawValue)
    case .validationFailure:
      let message = String(displayingUsageError: fullMessage(for: withoutLineBreaks(error)))
      _ = StandardStream.error.write(Array("error: \(message)\n".utf8))
      ProcessEnvironment.exit(ServerExitStatus.usage.rawValue)
    default: exit(withError: error)
    }
  }

  /// Returns the usage error with line breaks escaped in the values that it quotes. ArgumentParser does not escape
  /// them.
  private static func withoutLineBreaks(_ error: any Error) -> any Error {
    let escaped = ProgramArguments.all.map { String(displaying: $0.utf8) }
    guard escaped != ProgramArguments.all else { return error }
    do { _ = try parseAsRoot(escaped) } catch {
      if exitCode(for: error) == .validationFailure { return error }
    }
    return ValidationError(String(displaying: message(for: error).utf8))
  }
}
