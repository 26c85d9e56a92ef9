package import SafeFiles

/// How a `Documents` folder is to be used.
package struct DocumentsAccess: Sendable {
  package let path: String
  /// How long to wait for another iapkg that is at work there.
  package let patience: Duration
  /// Whether what is done must be on stable storage before it counts.
  package let isDurable: Bool
  package let cancellation: Cancellation
  package let progress: WorkProgress
  /// Hears of what was put in order after an interrupted run, and of what is left for the next one.
  let report: @Sendable (Recovery) -> Void

  package init(
    path: String, patience: Duration, isDurable: Bool, cancellation: Cancellation,
    progress: WorkProgress = WorkProgress(), report: @escaping @Sendable (Recovery) -> Void
  ) {
    self.path = path
    self.patience = patience
    self.isDurable = isDurable
    self.cancellation = cancellation
    self.progress = progress
    self.report = report
  }
}

/// What became of the work of a run that was interrupted.
package enum Recovery: Sendable {
  /// It had taken place and was brought to an end; the version is nil if the product was removed.
  case finished(product: String, version: String?)
  /// It had not taken place and was taken back.
  case takenBack(product: String)
  /// Unfinished files were thrown away.
  case cleanedUp
  /// The work is done and on disk; the next run will throw away what could not be thrown away now.
  case postponed(FileFailure)
}
