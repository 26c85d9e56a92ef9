import GRDB

/// What errors of SQLite mean for the ledger.
enum SQLiteFailure {
  /// Whatever keeps SQLite from working is taken for passing: the request can be made again, and nothing was entered.
  static func ledgerError(_ error: any Error) -> LedgerError {
    (error as? LedgerError) ?? .unavailable(reason: reason(error))
  }

  /// What SQLite says, without the statement.
  static func reason(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another process has locked it"
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_READONLY: "it is read-only"
    case .SQLITE_CANTOPEN: "the file cannot be opened, or its folder does not exist"
    case .SQLITE_NOTADB: "the file is not an SQLite database"
    case .SQLITE_CORRUPT: "the file is damaged; restore it from a backup"
    default: "\(error.message ?? "unknown error") (SQLite code \(error.extendedResultCode.rawValue))"
    }
  }
}
