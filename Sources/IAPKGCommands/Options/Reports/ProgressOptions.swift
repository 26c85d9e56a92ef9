import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// The option for when a command shows its progress.
struct ProgressOptions: ParsableArguments {
  @Option(
    help: "When to show progress: auto shows it on a terminal, always prints lines for logs.")
  var progress: ProgressStyle.Choice = .auto

  /// Runs `work` and shows its progress on standard error.
  func showing<Result>(
    _ text: TextOptions, in context: CommandContext, limits: Limits = Limits(), jobs: Int? = nil,
    _ work: (WorkContext) throws -> Result
  ) rethrows -> Result {
    let progress = WorkProgress()
    let workContext = WorkContext(
      limits: limits, jobs: jobs, cancellation: context.cancellation, progress: progress)
    let messages = context.console.messages
    switch ProgressStyle(self.progress, text) {
    case .lines:
      return try progress.watched(every: ProgressStyle.lineInterval, after: ProgressStyle.delay) {
        messages.write(ProgressText.line($0))
      } during: {
        try work(workContext)
      }
    case .terminal:
      defer { messages.erase() }
      return try progress.watched(every: ProgressStyle.redrawInterval, after: ProgressStyle.delay) { state in
        // Some terminals wrap after a character in the last column.
        messages.draw([TextLayout.prefix(of: ProgressText.line(state), columns: ProgressStyle.columns - 1)])
      } during: {
        try work(workContext)
      }
    case .none:
      return try work(workContext)
    }
  }
}

/// The display of progress.
enum ProgressStyle {
  enum Choice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

  case none
  /// Lines for a log.
  case lines
  /// Lines that are redrawn in place.
  case terminal

  /// The time before progress appears: shorter work shows none.
  static let delay = Duration.milliseconds(500)
  static let redrawInterval = Duration.milliseconds(100)
  static let lineInterval = Duration.seconds(1)

  /// The width in columns, if the terminal does not report its width.
  private static let defaultColumns = 80

  /// The width of the terminal on standard error, in columns.
  static var columns: Int { StandardStream.error.columns ?? defaultColumns }

  init(_ choice: Choice, _ text: TextOptions) {
    switch choice {
    case .always: self = .lines
    case .never: self = .none
    case .auto:
      let isTerminal = StandardStream.error.isTerminal && ProcessEnvironment.value("TERM") != "dumb"
      self = isTerminal && !text.quiet ? .terminal : .none
    }
  }
}
