import ArgumentParser
import ContentPackage
import SafeFiles
import Settings
package import Support

/// The entry point for the executable.
public enum Program {
  /// Runs the command that the process arguments name, and exits.
  public static func main() -> Never {
    Platform.releaseLargeArrays()
    StandardStream.reserve()
    let cancellation = Cancellation()
    let pauseRequest = PauseRequest()
    SignalHandling.ignoreFailedWrites()
    SignalHandling.endOnQuit()
    SignalHandling.expectChildren()
    let status = run(ProgramArguments.all, cancellation, pauseRequest) { command in
      // Before any other thread starts: existing threads would escape the sandbox.
      confine(&command)
      SignalHandling.install(cancelling: cancellation, pausing: pauseRequest)
    }
    ProcessEnvironment.exit(status)
  }

  /// Restricts the process to the access that a command declares.
  private static func confine(_ command: inout any PackageCommand) {
    guard !command.sandbox.noSandbox else { return }
    command.waitForAccess()
    guard var access = command.access else { return }
    access.report(command.report)
    Sandbox.confine(to: access)
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program name.
  ///   - cancellation: Stops the command. If a signal is the cause, the process ends by that signal.
  ///   - pauseRequest: Pauses transfers.
  /// - Returns: The exit code.
  package static func run(
    _ arguments: [String], _ cancellation: Cancellation, _ pauseRequest: PauseRequest
  ) -> Int32 { run(arguments, cancellation, pauseRequest) { _ in } }

  private static func run(
    _ arguments: [String], _ cancellation: Cancellation, _ pauseRequest: PauseRequest,
    _ prepare: (inout any PackageCommand) -> Void
  ) -> Int32 {
    let console = Console()
    guard !arguments.isEmpty else {
      // An empty command line in a script is probably an error.
      console.note(IAPKG.helpMessage())
      return end(.usage, console)
    }
    if let message = usageError(in: arguments) {
      return end(console, "\(message)\n  See 'iapkg --help' for more information.", message, arguments)
    }
    let status: ExitStatus
    do {
      var command = try IAPKG.parseAsRoot(arguments)
      if var command = command as? any PackageCommand {
        prepare(&command)
        status = run(
          command,
          in: CommandContext(
            console: console, cancellation: cancellation, pauseRequest: pauseRequest,
            protectedInputs: ProtectedInputs(
              command.protectedPaths + command.settingsFolders.flatMap(FolderSettings.files))))
        // End by the signal even if the work is done; otherwise a shell loop would continue.
        if let signal = cancellation.signal ?? SignalHandling.pending {
          _ = console.flush()
          SignalHandling.endProcess(bySignal: signal)
        }
      } else {
        try command.run()  // throws the requested help
        status = .success
      }
    } catch {
      return finish(console, parsing: error, arguments)
    }
    return end(status, console)
  }

  /// Returns the exit code for `status`, or for an I/O error if some of the output could not be written.
  private static func end(_ status: ExitStatus, _ console: Console) -> Int32 {
    guard !console.flush() else { return status.rawValue }
    let outcome =
      status == .success ? "the work is done, but its report is incomplete" : "the report is incomplete"
    let state = StandardStream.output.isClosed ? ", which is closed" : ""
    printErrorLines("cannot write to standard output\(state); \(outcome)", on: console)
    return ExitStatus.inputOutput.rawValue
  }

  private static func run(_ command: any PackageCommand, in context: CommandContext) -> ExitStatus {
    do {
      try checkStandardInput(command)
      for output in command.outputs where output != PackageOutput.standardOutput {
        try context.protectedInputs.check(output)
      }
      if command.report.reportFormat == .github, let summary = JobSummary.path {
        try context.protectedInputs.check(summary)
      }
      warnOfLookalikes(of: command, on: context.console)
      try warnOfOtherUsersSettings(of: command, on: context.console)
      return try command.perform(in: context)
    } catch {
      let error = CommandError(
        error, cancellation: context.cancellation, inputs: command.inputs, interruption: command.interruption)
      if error.status.isInterruption, !context.cancellation.claimMessage() { return error.status }
      command.report.render(
        error, of: type(of: command).reportName, showingAll: command.showsAllFindings, on: context.console)
      return error.status
    }
  }

  /// Checks that the command reads standard input if an input names it.
  ///
  /// - Throws: `ValidationError` if an input is standard input, and the command does not read it.
  private static func checkStandardInput(_ command: any PackageCommand) throws {
    let isRefused = command.inputs.contains { $0.path == StandardInput.path && !$0.takesStandardInput }
    guard isRefused else { return }
    let name = type(of: command).reportName
    throw ValidationError(
      "- is standard input, which iapkg \(name) does not read; name a file, or write ./- for a file of that name"
    )
  }

  /// Warns about folders that resemble the content folders of an input but are ignored.
  private static func warnOfLookalikes(of command: any PackageCommand, on console: Console) {
    let text = command.report.text
    guard !text.quiet else { return }
    for input in command.inputs where input.kinds.contains(.contentFolder) && input.path != StandardInput.path
    {
      for found in ContentFolder.lookalikes(
        in: input.path, includingPackages: input.kinds.contains(.package))
      {
        text.warn("\(String(displaying: found.path.utf8)) \(found.reason)", on: console)
      }
    }
  }

  /// Warns, even with `--quiet`, about settings files of other users. iapkg skips these files, although they may
  /// exclude content.
  ///
  /// - Throws: `CommandError` after the warnings, if warnings are errors.
  private static func warnOfOtherUsersSettings(of command: any PackageCommand, on console: Console) throws {
    let lines = Set(command.settingsFolders.flatMap(FolderSettings.untrustedFiles)).map {
      "\($0): the file belongs to another user, and is not read"
    }.sorted()
    for line in lines { command.report.text.warn(String(displaying: line.utf8), on: console) }
    guard command.isStrict, !lines.isEmpty else { return }
    throw CommandError(
      .invalid,
      "settings of another user are not read, which --strict refuses; change the owner of the file, or remove it"
    )
  }

  /// Prints help, the version or a usage error, and returns the exit code.
  private static func finish(_ console: Console, parsing error: any Error, _ arguments: [String]) -> Int32 {
    guard IAPKG.exitCode(for: error) != .success else {
      if let word = joinedHelpOption(in: arguments) {
        let message =
          "\(String(displaying: word.utf8)) is not an option; write ./ before a file with such a name"
        return end(console, message, message, arguments)
      }
      console.print(IAPKG.fullMessage(for: error))
      return end(.success, console)
    }
    let shown = withoutLineBreaks(error, arguments)
    return end(
      console, String(displayingUsageError: IAPKG.fullMessage(for: shown)),
      String(displayingUsageError: IAPKG.message(for: shown)), arguments)
  }

  /// Returns an argument such as `-dash` that the parser takes for several options, one of which is `-h`; nil if the
  /// arguments request help.
  private static func joinedHelpOption(in arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }
    guard arguments.first != helpName, !options.contains(where: { ["-h", "-help", "--help"].contains($0) })
    else {
      return nil
    }
    return options.first { !$0.hasPrefix("--") && $0.count > 2 && $0.contains("h") }
  }

  /// Returns the usage error with escaped line breaks in quoted values. The parser does not escape them, and GitHub
  /// treats a line that begins with two colons as a command.
  private static func withoutLineBreaks(_ error: any Error, _ arguments: [String]) -> any Error {
    let escaped = arguments.map { String(displaying: $0.utf8) }
    let message = String(displaying: IAPKG.message(for: error).utf8)
    guard escaped != arguments, message != IAPKG.message(for: error) else { return error }
    do { _ = try IAPKG.parseAsRoot(escaped) } catch {
      if IAPKG.exitCode(for: error) != .success { return error }
    }
    return ValidationError(message)
  }

  /// Reports a usage error: `text` on standard error, and `message` on standard output in a requested machine format.
  private static func end(
    _ console: Console, _ text: String, _ message: String, _ arguments: [String]
  ) -> Int32 {
    printErrorLines(text, on: console)
    if let report = ReportFormat(requestedBy: arguments)?.report {
      let name = arguments.first { command(named: $0) != nil }
      report.lines(for: CommandError(.usage, message), of: name ?? "iapkg").forEach(console.print)
    }
    return end(.usage, console)
  }

  /// Prints lines in the parser's layout: first the error, then optional lines that start with "Help:  " or "Usage: ".
  private static func printErrorLines(_ text: String, on console: Console) {
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

  /// The width of "error: ", "Help:  " and "Usage: ".
  private static let titleWidth = 7

  /// Returns a message for usage errors that the parser explains badly: an unknown command, an option before the
  /// command, `--version` with other arguments, or `update` with `--from`.
  private static func usageError(in arguments: [String]) -> String? {
    let requestsVersion = arguments.prefix { $0 != "--" }.contains {
      $0 == versionOption || $0.hasPrefix(versionOption + "=")
    }
    if requestsVersion, arguments != [versionOption] {
      return versionError(in: arguments)
    }
    if arguments.first == UpdateCommand.reportName,
      arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--from" || $0.hasPrefix("--from=") })
    {
      return
        "update has no option --from, because each product comes from the store from which it was fetched; "
        + "to change the store, use iapkg fetch PRODUCT --from STORE"
    }
    let words = arguments.first == helpName ? Array(arguments.dropFirst()) : arguments
    guard let word = words.first, word != helpName, command(named: word) == nil else { return nil }
    if word.hasPrefix("-") {
      // Completion scripts call the parser with options that start with three hyphens.
      guard !word.hasPrefix("---") else { return nil }
      guard let name = words.first(where: { command(named: $0) != nil }) else { return nil }
      return "options must follow the command, as in iapkg \(name) \(String(displaying: word.utf8))"
    }
    let shown = String(displaying: word.utf8)
    if let command = Suggestion.command(knownAs: word) {
      return "there is no command '\(shown)'; did you mean \(command)?"
    }
    if (try? FileSystem.kind(of: word)) != nil {
      return "there is no command '\(shown)'; to check that path, use iapkg validate \(shown)"
    }
    let names = IAPKG.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
    let ending = Suggestion.ending(
      for: word, among: names, otherwise: ", expected one of \(names.joined(separator: ", "))")
    return "there is no command '\(shown)'\(ending)"
  }

  private static func versionError(in arguments: [String]) -> String {
    guard let name = arguments.first, let command = command(named: name) else {
      return "\(versionOption) takes no arguments: it shows the version of iapkg"
    }
    let intendedOption: String? =
      switch command {
      case is InitCommand.Type, is CreateCommand.Type: "--content-version"
      case is BumpCommand.Type: "--to"
      default: nil
      }
    let ending =
      intendedOption.map { "; did you mean \($0)?" } ?? "; iapkg \(versionOption) shows the version of iapkg"
    return "\(name) has no option \(versionOption)\(ending)"
  }

  /// The option that only the root command has.
  private static let versionOption = "--version"
  /// The parser's built-in help command.
  private static let helpName = "help"

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    IAPKG.configuration.subcommands.first { $0.configuration.commandName == name }
  }
}
