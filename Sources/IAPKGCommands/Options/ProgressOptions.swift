import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// Whether a command shows its progress.
struct ProgressOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

  /// Shorter work shows no progress.
  private static let delay = Duration.milliseconds(500)
  private static let redrawInterval = Duration.milliseconds(100)
  private static let lineInterval = Duration.seconds(1)

  /// The width of a terminal that does not report it.
  private static let usualColumns = 80

  @Option(
    help: "When to show progress: auto shows it on a terminal, always prints lines for logs.")
  var progress: Choice = .auto

  /// Runs `work`, and shows its progress on standard error.
  func showing<Result>(
    _ text: TextOptions, in context: CommandContext, limits: Limits = Limits(), jobs: Int? = nil,
    _ work: (WorkContext) throws -> Result
  ) rethrows -> Result {
    let progress = WorkProgress()
    let workContext = WorkContext(
      limits: limits, jobs: jobs, cancellation: context.cancellation, progress: progress)
    let messages = context.console.messages
    switch self.progress {
    case .always:
      return try progress.watched(every: Self.lineInterval, after: Self.delay) {
        messages.write(ProgressText.line($0))
      } during: {
        try work(workContext)
      }
    case .auto
    where !text.quiet && StandardStream.error.isTerminal && ProcessEnvironment.value("TERM") != "dumb":
      defer { messages.erase() }
      return try progress.watched(every: Self.redrawInterval, after: Self.delay) { state in
        let columns = StandardStream.error.columns ?? Self.usualColumns
        // Some terminals start a new line after a line that ends in the last column.
        messages.draw(TextLayout.prefix(of: ProgressText.line(state), columns: columns - 1))
      } during: {
        try work(workContext)
      }
    case .auto, .never:
      return try work(workContext)
    }
  }
}
