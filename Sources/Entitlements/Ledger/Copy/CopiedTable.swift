/// A table that a ledger copy includes.
struct CopiedTable: Sendable {
  let name: String
  let columns: [String]
  /// The columns that define the copy order: texts, or for `entries` an integer. The target numbers its own entries.
  let key: [String]

  /// The entries, followed by the tables derived from them.
  static let all =
    [entries] + [
      CopiedTable("accounts", key: ["id"], ["token", "token_is_signed", "created"]),
      CopiedTable("purchases", key: ["environment", "key"], ["is_consumable", "account", "proof"]),
      CopiedTable("purchase_credits", key: ["environment", "key", "balance"], ["unit", "applied"]),
      CopiedTable(
        "transactions", key: ["environment", "key", "id"],
        [
          "product", "quantity", "signed_date", "expires_date", "revocation_date", "revocation_share",
          "is_upgraded",
        ]),
      CopiedTable("shares", key: ["environment", "key", "account"], []),
      CopiedTable(
        "entitlements", key: ["account", "environment", "product", "source"], ["expires", "is_withheld"]),
      CopiedTable("balances", key: ["account", "environment", "name"], ["amount"]),
    ]

  static let entries = CopiedTable(
    name: "entries",
    columns: LedgerEntry.columns.split(whereSeparator: { ", ".contains($0) }).map(String.init),
    key: ["sequence"])

  private init(name: String, columns: [String], key: [String]) {
    self.name = name
    self.columns = columns
    self.key = key
  }

  private init(_ name: String, key: [String], _ valueColumns: [String]) {
    self.init(name: name, columns: key + valueColumns, key: key)
  }

  /// Returns the query of the next rows: the columns of a row, then those of its key.
  func query(after position: CopyPosition?) -> String {
    let keys = key.joined(separator: ", ")
    let parameters = key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let condition = position == nil ? "" : " WHERE (\(keys)) > (\(parameters))"
    return "SELECT \(columns.joined(separator: ", ")), \(keys) FROM \(name)\(condition)"
      + " ORDER BY \(keys) LIMIT \(LedgerLimits.copyBatchSize)"
  }

  /// Returns the statement that inserts `count` rows, except existing rows, and yields a row for each inserted row.
  func insertion(of count: Int) -> String {
    let rows = (0..<count).map { row in
      "(" + columns.indices.map { "?\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
    }
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))"
      + " ON CONFLICT DO NOTHING RETURNING 1"
  }
}

/// The key of the last copied row.
struct CopyPosition: Equatable, Sendable {
  private static let separator: Character = "\u{1F}"

  let key: [SQLValue]

  init(_ key: [SQLValue]) { self.key = key }

  /// Parses the position stored in the target; nil if nothing was copied.
  init?(_ text: String, of table: CopiedTable) {
    guard !text.isEmpty else { return nil }
    let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    key = table.name == CopiedTable.entries.name ? parts.map { SQLValue(Int64($0)) } : parts.map { .text($0) }
  }

  /// The position for storage in the target. No text of the ledger contains the separator.
  var text: String {
    key.map { value in
      switch value {
      case .null: ""
      case .integer(let number): String(number)
      case .text(let text): text
      }
    }.joined(separator: String(Self.separator))
  }
}
