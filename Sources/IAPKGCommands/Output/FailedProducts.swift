import ContentPackage

/// The products that a command for several could not handle.
struct FailedProducts {
  private let failures: [CommandFailure]

  init(_ outcomes: [FetchWork.Outcome]) { failures = outcomes.compactMap(\.failure) }

  /// Says on standard error why they failed.
  ///
  /// - Returns: the highest exit code; success if nothing failed.
  func render(_ report: ReportOptions, on console: Console) -> ExitStatus {
    for failure in failures {
      report.render(failure.findings, on: console)
      report.note(failure, on: console)
    }
    return failures.map(\.status).max { $0.rawValue < $1.rawValue } ?? .success
  }
}
