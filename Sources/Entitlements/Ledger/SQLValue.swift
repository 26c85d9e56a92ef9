/// A value of a column, of the kinds that both databases have.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  init(_ value: String?) { self = value.map(Self.text) ?? .null }

  init(_ value: Int64?) { self = value.map(Self.integer) ?? .null }

  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

/// A row that a database answered.
struct SQLRow: Hashable, Sendable {
  let columns: [SQLValue]

  /// The text of a column; nil if it is null or something else.
  func text(_ column: Int) -> String? {
    guard columns.indices.contains(column), case .text(let value) = columns[column] else { return nil }
    return value
  }

  /// The integer of a column; nil if it is null or something else.
  func integer(_ column: Int) -> Int64? {
    guard columns.indices.contains(column), case .integer(let value) = columns[column] else { return nil }
    return value
  }
}

/// The two ways of saying things, where one does not do for both databases.
enum SQLDialect: Sendable {
  case sqlite
  case postgres

  /// What makes a query keep its rows from other transactions until the end of this one. SQLite has only one writer.
  var forUpdate: String { self == .postgres ? " FOR UPDATE" : "" }
}
