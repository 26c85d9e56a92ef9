import ArgumentParser
import ContentPackage
import Delivery
import Support

/// The progress display of a command that transfers products.
struct TransferProgressOptions: ParsableArguments {
  enum Choice: String, ExpressibleByArgument, CaseIterable { case auto, always, never, json }

  private static let reportInterval = Duration.milliseconds(500)

  @Option(
    help: """
      When to show progress: auto shows it on a terminal, always prints lines for logs, json prints lines of \
      JSON for programs.
      """)
  var progress: Choice = .auto

  /// Runs `work` and shows its progress on standard error.
  func showing<Result>(
    _ text: TextOptions, in context: CommandContext, limits: Limits = Limits(), jobs: Int? = nil,
    _ work: (WorkContext, TransferProgress) throws -> Result
  ) rethrows -> Result {
    // A signal must not end the process before the result of each product is reported.
    PendingCleanup.begin()
    defer { PendingCleanup.end() }
    let messages = context.console.messages
    let progress = WorkProgress()
    let workContext = WorkContext(
      limits: limits, jobs: jobs, cancellation: context.cancellation, progress: progress)
    let isJSON = self.progress == .json
    let transfers = TransferProgress(pausedBy: context.pauseRequest) { transfer in
      if isJSON { messages.write(TransferDocument(transfer).line) }
    }
    let style: ProgressStyle =
      switch self.progress {
      case .auto: ProgressStyle(.auto, text)
      case .always: .lines
      case .never, .json: .none
      }
    switch style {
    case .none where isJSON:
      return try transfers.watched(every: Self.reportInterval, after: Self.reportInterval) { _ in
        transfers.reportActive()
      } during: {
        try work(workContext, transfers)
      }
    case .none: return try work(workContext, transfers)
    case .lines:
      return try transfers.watched(every: ProgressStyle.lineInterval, after: ProgressStyle.delay) {
        TransferText($0, progress.state?.activity).activeLines.forEach(messages.write)
      } during: {
        try work(workContext, transfers)
      }
    case .terminal:
      let draw: @Sendable ([ProductTransfer]) -> Void = {
        let text = TransferText($0, progress.state?.activity)
        messages.draw(text.lines(columns: ProgressStyle.columns))
      }
      // While the process is stopped, the shell writes to the terminal.
      let pauseRequest = context.pauseRequest
      pauseRequest.observe {
        guard pauseRequest.isPaused else { return }
        draw(transfers.transfers)
        messages.leave()
      }
      defer { messages.erase() }
      return try transfers.watched(every: ProgressStyle.redrawInterval, after: ProgressStyle.delay) {
        if !pauseRequest.isPaused { draw($0) }
      } during: {
        try work(workContext, transfers)
      }
    }
  }
}
