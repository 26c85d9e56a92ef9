import GRDB

/// A transaction on a GRDB connection.
final class SQLiteConnection: LedgerConnection {
  let dialect = SQLDialect.sqlite
  private let db: Database

  init(_ db: Database) { self.db = db }

  func rows(_ statement: String, _ values: [SQLValue]) throws(LedgerError) -> [SQLRow] {
    do {
      let prepared = try db.cachedStatement(sql: statement)
      let arguments = StatementArguments(values.map(Self.databaseValue))
      var rows: [SQLRow] = []
      let cursor = try Row.fetchCursor(prepared, arguments: arguments)
      while let row = try cursor.next() { rows.append(SQLRow(columns: row.databaseValues.map(Self.value))) }
      return rows
    } catch {
      throw SQLiteFailure.ledgerError(error)
    }
  }

  /// Runs statements in a new database in memory.
  static func inMemory<Output>(
    _ body: (any LedgerConnection) throws(LedgerError) -> Output
  ) throws(LedgerError) -> Output {
    do {
      return try DatabaseQueue().write { try body(SQLiteConnection($0)) }
    } catch {
      throw SQLiteFailure.ledgerError(error)
    }
  }

  private static func databaseValue(_ value: SQLValue) -> DatabaseValue {
    switch value {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .text(let value): value.databaseValue
    }
  }

  private static func value(_ value: DatabaseValue) -> SQLValue {
    switch value.storage {
    case .int64(let value): .integer(value)
    case .string(let value): .text(value)
    case .null, .double, .blob: .null
    }
  }
}
