import ContentPackage

/// The errors of products in a command on several products.
struct FailedProducts {
  private let errors: [CommandError]

  init(_ outcomes: [FetchWork.Outcome]) {
    errors = outcomes.compactMap { outcome in
      outcome.error.map { outcomes.count > 1 ? $0.findings(about: outcome.product.text) : $0 }
    }
  }

  /// Prints the errors on standard error. If a store cannot be read, its products share one line.
  ///
  /// - Returns: The highest exit code; `success` without errors.
  func render(_ report: ReportOptions, showingAll: Bool = false, on console: Console) -> ExitStatus {
    var reported: Set<String> = []
    for error in errors {
      report.render(error.findings, showingAll: showingAll, on: console)
      if reported.insert("\(error.path ?? "") \(error.message)").inserted || !error.findings.isEmpty {
        report.printError(error, on: console)
      }
    }
    return .highest(of: errors)
  }
}
