public import SafeFiles

/// A `Documents` folder, and how it is to be used.
public struct DocumentsAccess: Sendable {
  /// The folder that holds a folder for each product.
  public let path: String
  /// How long to wait for another process that is at work there.
  public let patience: Duration
  /// Whether what is done must be on stable storage before it counts.
  public let isDurable: Bool
  package let cancellation: Cancellation
  package let progress: WorkProgress
  /// Hears of what was put in order after an interrupted run, and of what is left for the next one.
  let report: @Sendable (Recovery) -> Void

  /// A folder that is made when something is installed, if only it is missing.
  ///
  /// - Parameters:
  ///   - path: the folder that holds a folder for each product.
  ///   - patience: how long to wait for another process that is at work there.
  ///   - isDurable: whether what is done must be on stable storage before it counts; false is for machines that
  ///     are thrown away.
  ///   - cancellation: ends the work early.
  ///   - progress: counts the bytes that are installed or verified.
  ///   - report: hears of what was put in order after an interrupted run, and of what is left for the next one.
  public init(
    path: String, patience: Duration = .zero, isDurable: Bool = true,
    cancellation: Cancellation = Cancellation(), progress: WorkProgress = WorkProgress(),
    report: @escaping @Sendable (Recovery) -> Void = { _ in }
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
public enum Recovery: Sendable {
  /// It had taken place and was brought to an end; the version is nil if the product was removed.
  case finished(product: String, version: String?)
  /// It had not taken place and was taken back.
  case takenBack(product: String)
  /// Unfinished files were thrown away.
  case cleanedUp
  /// The work is done and on disk; the next run will throw away what could not be thrown away now.
  case postponed(FileFailure)
}
