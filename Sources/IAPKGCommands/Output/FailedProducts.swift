import ContentPackage

/// The products that a command for several could not handle.
struct FailedProducts {
  private let errors: [CommandError]

  init(_ outcomes: [FetchWork.Outcome]) {
    errors = outcomes.compactMap { outcome in
      outcome.error.map { outcomes.count > 1 ? $0.findings(about: outcome.product.text) : $0 }
    }
  }

  /// Says on standard error why they failed.
  ///
  /// - Returns: the highest exit code; success if nothing failed.
  func render(_ report: ReportOptions, showingAll: Bool = false, on console: Console) -> ExitStatus {
    for error in errors {
      report.render(error.findings, showingAll: showingAll, on: console)
      report.note(error, on: console)
    }
    return .highest(of: errors)
  }
}
