/// An error that stops a ledger request. Nothing was entered, unless a connection to PostgreSQL failed or a file of
/// SQLite was deleted during the commit.
public enum LedgerError: Error, Equatable, Sendable {
  /// The location or content of the database prevents its use.
  case cannotOpen(database: String, reason: String)
  /// The disk has no room for the database.
  case cannotWrite(database: String, reason: String)
  /// The schema is from a later version of the program.
  case newerSchema(database: String, found: Int, known: Int)
  /// The schema is from an earlier version of the program and was not migrated.
  case olderSchema(database: String, found: Int, known: Int)
  /// The database is an unfinished copy of a ledger.
  case unfinishedCopy(database: String)
  /// The SQLite file is damaged.
  case damaged(reason: String)
  /// The database is locked, full, read-only, missing or unreachable. The request may be retried later.
  case unavailable(reason: String)
  /// A value of the request is invalid.
  case invalid(reason: String)

  /// The error of a request whose deadline passed before it began.
  static let late = Self.unavailable(reason: "it did not begin the request in time")
}

extension LedgerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let database, let reason): "cannot open the database \(database): \(reason)"
    case .cannotWrite(let database, let reason): "cannot write to the database \(database): \(reason)"
    case .newerSchema(let database, let found, let known):
      "the database \(database) has schema \(found), which is newer than schema \(known) of this program; use a later version"
    case .olderSchema(let database, let found, let known):
      "the database \(database) has schema \(found), expected \(known)"
    case .unfinishedCopy(let database): "the database \(database) is an unfinished copy"
    case .damaged(let reason): "the database cannot be used: \(reason)"
    case .unavailable(let reason): "the database cannot be used now: \(reason)"
    case .invalid(let reason): reason
    }
  }
}
