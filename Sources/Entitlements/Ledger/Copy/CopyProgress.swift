/// How far a copy has come, as the target database notes it in the transactions that copy.
struct CopyProgress {
  /// Whose presence says that the copy is not finished.
  static let table = "iapkg_copy"
  /// The part under which the source is noted.
  private static let source = "source"

  let connection: any LedgerConnection
  /// The target's, for messages.
  let name: String

  /// Begins a copy in an empty database, or goes on with one from the same source, which its identity tells from other
  /// ledgers.
  ///
  /// - Throws: `cannotOpen` if the database holds something else.
  func begin(from identity: String, _ migrator: Migrator) throws(LedgerError) {
    if try migrator.hasTable(Self.table) {
      guard try position(Self.source) == identity else {
        throw .cannotOpen(
          database: name,
          reason: "it is a copy of another ledger that is not finished; name an empty database")
      }
      return
    }
    guard try connection.first("SELECT 1 FROM entries LIMIT 1") == nil else {
      throw .cannotOpen(database: name, reason: "it holds a ledger already; name an empty database")
    }
    try connection.run("CREATE TABLE \(Self.table) (part TEXT PRIMARY KEY, position TEXT NOT NULL)")
    for (part, position) in [(Self.source, identity)] + CopiedTable.all.map({ ($0.name, "") }) {
      try connection.run(
        "INSERT INTO \(Self.table) (part, position) VALUES (?1, ?2)", [.text(part), .text(position)])
    }
  }

  func position(of table: CopiedTable) throws(LedgerError) -> CopyPosition? {
    CopyPosition(try position(table.name), of: table)
  }

  private func position(_ part: String) throws(LedgerError) -> String {
    try connection.first("SELECT position FROM \(Self.table) WHERE part = ?1", [.text(part)])?.text(0) ?? ""
  }

  /// Notes that a table is copied up to a row.
  ///
  /// - Throws: `unavailable` if another process has copied meanwhile.
  func advance(
    _ table: CopiedTable, from old: CopyPosition?, to new: CopyPosition?
  ) throws(LedgerError) {
    let moved = try connection.first(
      "UPDATE \(Self.table) SET position = ?1 WHERE part = ?2 AND position = ?3 RETURNING part",
      [.text(new?.text ?? ""), .text(table.name), .text(old?.text ?? "")])
    guard moved != nil else { throw .unavailable(reason: "another process copies to it") }
  }

  func finish() throws(LedgerError) { try connection.run("DROP TABLE \(Self.table)") }
}
