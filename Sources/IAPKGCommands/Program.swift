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
    return end(status, console)
  }

  /// Ends with this status, unless some of the output was lost.
  private static func end(_ status: ExitStatus, _ console: Console) -> Int32 {
    guard !console.flush() else { return status.rawValue }
    let outcome =
      status == .success ? "the work is done, but what is said of it is lost" : "some of it is lost"
    noteMistake("cannot write to standard output; \(outcome)", on: console)
    return ExitStatus.inputOutput.rawValue
  }

  private static func run(_ command: any PackageCommand, in context: CommandContext) -> ExitStatus {
    do {
      return try command.perform(in: context)
    } catch {
      let failure = CommandFailure(error, cancellation: context.cancellation, inputs: command.inputs)
      command.report.render(failure, of: type(of: command).reportName, on: context.console)
      return failure.status
    }
  }

  /// Ends after help, version or wrong usage; a program that asked for a format gets it then too.
  private static func finish(_ console: Console, parsing error: any Error, _ arguments: [String]) -> Int32 {
    let mistake = mistake(in: arguments)
    guard mistake != nil || IAPKG.exitCode(for: error) != .success else {
      console.print(IAPKG.fullMessage(for: error))
      return end(.success, console)
    }
    let parsers = displayed(IAPKG.fullMessage(for: error))
    let text =
      mistake.map { "\($0)\n  See 'iapkg --help' for more information." }
      ?? (parsers.hasPrefix(parsersHead) ? String(parsers.dropFirst(parsersHead.count)) : parsers)
    noteMistake(text, on: console)
    if let format = FailureFormat(requestedBy: arguments) {
      let name = arguments.first { command(named: $0) != nil }
      let failure = CommandFailure(.usage, mistake ?? displayed(IAPKG.message(for: error)))
      console.print(format.document(for: failure, of: name ?? "iapkg"))
    }
    return end(.usage, console)
  }

  /// Lines such as the parser makes: the first is the mistake, "Help:  " and "Usage: " begin others.
  private static func noteMistake(_ text: String, on console: Console) {
    let layout = TextLayout(for: .error)
    var head = TextStyle(.auto, for: .error).error("error:") + " "
    for line in text.split(separator: "\n") {
      let isTitled = line.hasPrefix("Help: ") || line.hasPrefix("Usage: ")
      if isTitled { head = String(line.prefix(titleWidth)) }
      let rest = isTitled ? line.dropFirst(titleWidth) : line
      let width = head.isEmpty ? 0 : titleWidth
      layout.lines(after: head, width: width, String(rest)).forEach(console.note)
      head = ""
    }
  }

  /// Of "error: ", "Help:  " and "Usage: ".
  private static let titleWidth = 7
  /// How the parser's messages begin.
  private static let parsersHead = "Error: "

  /// The lines of a message that repeats arguments as they were given.
  private static func displayed(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(displaying: $0.utf8) }.joined(separator: "\n")
  }

  /// What is wrong where the parser cannot know it: the command's name, or an option before it.
  private static func mistake(in arguments: [String]) -> String? {
    let words = arguments.first == helpName ? Array(arguments.dropFirst()) : arguments
    guard let word = words.first, word != helpName, command(named: word) == nil else { return nil }
    if word.hasPrefix("-") {
      guard let name = words.first(where: { command(named: $0) != nil }) else { return nil }
      return "options stand behind the command, as in iapkg \(name) \(String(displaying: word.utf8))"
    }
    let shown = String(displaying: word.utf8)
    if (try? FileSystem.kind(of: word)) != nil {
      return "there is no command '\(shown)'; to check what stands there, use iapkg validate \(shown)"
    }
    let names = IAPKG.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
    let ending = Suggestion.ending(
      for: word, among: names, otherwise: ", expected one of \(names.joined(separator: ", "))")
    return "there is no command '\(shown)'\(ending)"
  }

  /// The parser's own command.
  private static let helpName = "help"

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    IAPKG.configuration.subcommands.first { $0.configuration.commandName == name }
  }
}
