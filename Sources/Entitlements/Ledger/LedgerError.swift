/// Why the ledger cannot do what was asked of it. Nothing of the request was entered then.
public enum LedgerError: Error, Equatable, Sendable {
  /// The place or the content of the database does not allow its use.
  case cannotOpen(database: String, reason: String)
  /// The database was made by a later version of the program.
  case newerSchema(database: String, found: Int, known: Int)
  /// The database was made by an earlier version of the program, and was not migrated.
  case olderSchema(database: String, found: Int, known: Int)
  /// The database cannot answer now: it is locked, full, read-only, gone or out of reach. The same request may be made
  /// again later.
  case unavailable(reason: String)
  /// A value of the request is not one that the ledger takes.
  case invalid(reason: String)
}

extension LedgerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let database, let reason): "cannot open the database \(database): \(reason)"
    case .newerSchema(let database, let found, let known):
      "the database \(database) has schema \(found), which is newer than schema \(known) of this program; use a later version of the program"
    case .olderSchema(let database, let found, let known):
      "the database \(database) has schema \(found), expected \(known); run 'iapkg-server migrate'"
    case .unavailable(let reason): "the database cannot be used now: \(reason)"
    case .invalid(let reason): reason
    }
  }
}
