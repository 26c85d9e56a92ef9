public import ContentPackage

/// A `Documents` folder and the options for accessing it.
public struct DocumentsAccess: Sendable {
  /// The folder that holds a folder for each product.
  public let path: String
  /// Whether missing parent folders are created too.
  public let makesParents: Bool
  /// The maximum time to wait for another process that holds the lock.
  public let lockTimeout: Duration
  /// Whether a change must reach stable storage before it counts as complete.
  public let isDurable: Bool
  /// The limits, threads, cancellation and progress of the work.
  public let context: WorkContext
  /// Receives the notices.
  let report: @Sendable (DocumentsNotice) -> Void

  /// Creates access to the folder at `path`. An installation creates the folder if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder that holds a folder for each product.
  ///   - makesParents: Whether missing parent folders are created too.
  ///   - lockTimeout: The maximum time to wait for another process that holds the lock.
  ///   - isDurable: Whether a change must reach stable storage before it counts as complete; false suits throwaway
  ///     machines.
  ///   - context: The limits and threads; its progress counts the bytes that are installed or verified.
  ///   - report: Receives the notices.
  public init(
    path: String, makesParents: Bool = false, lockTimeout: Duration = .zero, isDurable: Bool = true,
    context: WorkContext = WorkContext(), report: @escaping @Sendable (DocumentsNotice) -> Void = { _ in }
  ) {
    self.path = path
    self.makesParents = makesParents
    self.lockTimeout = lockTimeout
    self.isDurable = isDurable
    self.context = context
    self.report = report
  }
}

/// An event in a `Documents` folder that the user should know about.
public enum DocumentsNotice: Sendable {
  /// An interrupted change had taken effect and was completed; the version is nil if the product was removed.
  case completed(product: String, version: String?)
  /// Files of a removed product that iapkg did not install, or that were modified, are kept at the path.
  case filesKept(product: String, path: String)
  /// An interrupted change had not taken effect and was rolled back.
  case undone(product: String)
  /// A download was interrupted; its received bytes are kept for the next attempt.
  case downloadKept(product: String)
  /// Unfinished files of an interrupted run were deleted.
  case cleanedUp
  /// The change is complete and on disk; the next run retries the cleanup that failed.
  case postponed(any Error)
  /// An item that this user may not delete was moved aside to the path, where it blocks no product.
  case undeleted(path: String, any Error)
  /// Files that iapkg did not install could not be moved and remain in the previous version.
  case notKept(product: String, version: String, any Error)
  /// The file system cannot exchange two folders atomically, so the product was missing for an instant.
  case notExchanged(product: String)
  /// The file system does not keep permissions, so later checks ignore them.
  case permissionsNotKept(product: String)
}
