/// A column value, of the types that both databases have.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  init(_ value: String?) { self = value.map(Self.text) ?? .null }

  init(_ value: Int64?) { self = value.map(Self.integer) ?? .null }

  init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
}

/// A row of a query result.
struct SQLRow: Hashable, Sendable {
  let columns: [SQLValue]

  /// Returns the text of a column; nil if the value is null or of another type.
  func text(_ column: Int) -> String? {
    guard columns.indices.contains(column), case .text(let value) = columns[column] else { return nil }
    return value
  }

  /// Returns the integer of a column; nil if the value is null or of another type.
  func integer(_ column: Int) -> Int64? {
    guard columns.indices.contains(column), case .integer(let value) = columns[column] else { return nil }
    return value
  }
}

/// The SQL dialects, for statements that differ between the databases.
enum SQLDialect: Sendable {
  case sqlite
  case postgres

  /// The clause that locks the rows of a query until the end of the transaction. SQLite has a single writer and needs no
  /// such clause.
  var forUpdate: String { self == .postgres ? " FOR UPDATE" : "" }
}
