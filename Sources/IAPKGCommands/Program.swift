import ArgumentParser
import SafeFiles

/// The way in from the executable.
public enum Program {
  /// Runs the command that the process was started with, and ends the process.
  public static func main() -> Never {
    ProcessEnvironment.exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs the command that the arguments ask for.
  ///
  /// - Parameter arguments: without the program's own name.
  /// - Returns: the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    let cancellation = Cancellation()
    SignalHandling.install(cancelling: cancellation)
    let console = Console()
    let status: ExitStatus
    do {
      var command = try IAPKG.parseAsRoot(arguments)
      if let command = command as? any PackageCommand {
        status = run(command, in: CommandContext(console: console, cancellation: cancellation))
      } else {
        try command.run()  // a request for help, which is thrown
        status = .success
      }
    } catch {
      return finish(console, parsing: error, arguments)
    }
    return (console.flush() ? status : .inputOutput).rawValue
  }

  private static func run(_ command: any PackageCommand, in context: CommandContext) -> ExitStatus {
    do {
      return try command.perform(in: context)
    } catch {
      let failure = CommandFailure(error, cancellation: context.cancellation)
      command.report.render(failure, of: type(of: command).reportName, on: context.console)
      return failure.status
    }
  }

  /// Ends after help, version or wrong usage; a program that asked for a format gets it then too.
  private static func finish(_ console: Console, parsing error: any Error, _ arguments: [String]) -> Int32 {
    guard IAPKG.exitCode(for: error) != .success else {
      console.print(IAPKG.fullMessage(for: error))
      return (console.flush() ? ExitStatus.success : .inputOutput).rawValue
    }
    let unknown = unknownCommand(in: arguments)
    console.note(
      unknown.map { "Error: \($0)\n  See 'iapkg --help' for more information." }
        ?? displayed(IAPKG.fullMessage(for: error)))
    if let format = FailureFormat(requestedBy: arguments) {
      let name = arguments.first { argument in
        IAPKG.configuration.subcommands.contains { $0.configuration.commandName == argument }
      }
      let failure = CommandFailure(.usage, unknown ?? displayed(IAPKG.message(for: error)))
      console.print(format.document(for: failure, of: name ?? "iapkg"))
    }
    return (console.flush() ? ExitStatus.usage : .inputOutput).rawValue
  }

  /// The lines of a message that repeats arguments as they were given.
  private static func displayed(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(displaying: $0.utf8) }.joined(separator: "\n")
  }

  /// What is wrong if the first word is no command, with the one that was probably meant.
  private static func unknownCommand(in arguments: [String]) -> String? {
    let commands = IAPKG.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
    guard let word = arguments.first, !word.hasPrefix("-"), !(commands + ["help"]).contains(word) else {
      return nil
    }
    let ending = Suggestion.ending(
      for: word, among: commands, otherwise: ", expected one of \(commands.joined(separator: ", "))")
    return "there is no command '\(String(displaying: word.utf8))'\(ending)"
  }
}
