public import ContentPackage

/// A `Documents` folder, and how it is to be used.
public struct DocumentsAccess: Sendable {
  /// The folder that holds a folder for each product.
  public let path: String
  /// Whether the folders above it are made too if they are missing.
  public let makesParents: Bool
  /// How long to wait for another process that is at work there.
  public let lockTimeout: Duration
  /// Whether what is done must be on stable storage before it counts.
  public let isDurable: Bool
  /// How what is done there is limited, ended early and watched.
  public let context: WorkContext
  /// Hears of what is worth a note: see `DocumentsNotice`.
  let report: @Sendable (DocumentsNotice) -> Void

  /// A folder that is made when something is installed, if it is missing.
  ///
  /// - Parameters:
  ///   - path: the folder that holds a folder for each product.
  ///   - makesParents: whether the folders above it are made too if they are missing.
  ///   - lockTimeout: how long to wait for another process that is at work there.
  ///   - isDurable: whether what is done must be on stable storage before it counts; false is for machines that
  ///     are thrown away.
  ///   - context: limits and threads; its progress counts the bytes that are installed or verified.
  ///   - report: hears of what is worth a note.
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

/// Something about a `Documents` folder that is worth a note.
public enum DocumentsNotice: Sendable {
  /// The work of an interrupted run had taken place and was completed; the version is nil if the product was removed.
  case completed(product: String, version: String?)
  /// The work of an interrupted run had not taken place and was undone.
  case undone(product: String)
  /// A download was interrupted, and what had been received is kept for the next try.
  case downloadKept(product: String)
  /// Unfinished files of an interrupted run were deleted.
  case cleanedUp
  /// The work is done and on disk; the next run will delete what could not be deleted now.
  case postponed(any Error)
  /// This user may not delete an item, which was put aside at the path and holds up no product.
  case undeleted(path: String, any Error)
  /// Files that iapkg did not install could not be moved, and stay in the previous version.
  case notKept(product: String, any Error)
  /// The file system cannot exchange two folders in one step, so the product was missing for an instant.
  case notExchanged(product: String)
  /// The file system does not keep permissions, so they are not verified later.
  case permissionsNotKept(product: String)
}
