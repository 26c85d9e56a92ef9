import ArgumentParser
import ContentPackage
import SafeFiles

/// Whether a command shows how far it is.
struct ProgressOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

  /// What takes less time shows nothing.
  private static let delay = Duration.milliseconds(500)
  private static let redrawInterval = Duration.milliseconds(100)
  private static let lineInterval = Duration.seconds(1)

  /// Of a terminal that does not tell.
  private static let usualColumns = 80

  @Option(
    help: "When to show progress: auto on a terminal; always for logs too, in lines, at most one a second.")
  var progress: Choice = .auto

  /// Does `work`, and shows meanwhile on standard error how far it is.
  func showing<Result>(
    _ text: TextOptions, in context: CommandContext, _ work: (WorkProgress) throws -> Result
  ) rethrows -> Result {
    let progress = WorkProgress()
    let messages = context.console.messages
    switch self.progress {
    case .always:
      return try progress.watched(every: Self.lineInterval, after: Self.delay) {
        messages.write(ProgressText.line($0))
      } during: {
        try work(progress)
      }
    case .auto
    where !text.quiet && StandardStream.error.isTerminal && ProcessEnvironment.value("TERM") != "dumb":
      defer { messages.erase() }
      return try progress.watched(every: Self.redrawInterval, after: Self.delay) { state in
        let columns = StandardStream.error.columns ?? Self.usualColumns
        // A line that ends in the last column would make some terminals begin a new one.
        messages.draw(TextLayout.prefix(of: ProgressText.line(state), columns: columns - 1))
      } during: {
        try work(progress)
      }
    case .auto, .never:
      return try work(progress)
    }
  }
}
