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

  /// Ends after help, version or wrong usage; a program that asked for JSON gets JSON on wrong usage too.
  private static func finish(_ console: Console, parsing error: any Error, _ arguments: [String]) -> Int32 {
    // It repeats arguments as they were given.
    let text = IAPKG.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(displaying: $0.utf8) }.joined(separator: "\n")
    guard IAPKG.exitCode(for: error) != .success else {
      console.print(text)
      return (console.flush() ? ExitStatus.success : .inputOutput).rawValue
    }
    console.note(text)
    if ReportOptions.wantsJSON(arguments) {
      let name = arguments.first { argument in
        IAPKG.configuration.subcommands.contains { $0.configuration.commandName == argument }
      }
      let failure = CommandFailure(.usage, IAPKG.message(for: error))
      console.print(json: ErrorDocument(failure, command: name ?? "iapkg"))
    }
    return (console.flush() ? ExitStatus.usage : .inputOutput).rawValue
  }
}
