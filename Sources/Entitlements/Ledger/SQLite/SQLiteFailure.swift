import GRDB

/// The conversion of SQLite errors to ledger errors.
enum SQLiteFailure {
  /// The reason of damage that prevents reading the file.
  static let damage = "the file is damaged; restore it from a backup"

  /// Returns the ledger error. All SQLite errors but damage are treated as temporary: nothing was entered, and the request
  /// may be retried.
  static func ledgerError(_ error: any Error) -> LedgerError {
    if let error = error as? LedgerError { return error }
    let isDamage = (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT
    return isDamage ? .damaged(reason: reason(error)) : .unavailable(reason: reason(error))
  }

  /// Returns whether the disk is full: for a transaction, or for the `-shm` file of a database that is opened.
  static func isFullDisk(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
  }

  /// Returns SQLite's message, without the statement.
  static func reason(_ error: any Error) -> String {
    // Descriptions of other errors can contain rows, which are secret.
    guard let error = error as? DatabaseError else { return "an error of the kind \(type(of: error))" }
    return switch error.resultCode {
    case _ where isFullDisk(error): "the disk is full"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another process has locked it"
    case .SQLITE_READONLY: "it is read-only"
    case .SQLITE_CANTOPEN: "the file cannot be opened, or its folder does not exist"
    case .SQLITE_NOTADB: "the file is not an SQLite database"
    case .SQLITE_CORRUPT: damage
    default: "\(error.message ?? "unknown error") (SQLite code \(error.extendedResultCode.rawValue))"
    }
  }
}
