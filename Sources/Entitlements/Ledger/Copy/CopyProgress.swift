/// The progress of a copy, which each copying transaction stores in the target.
struct CopyProgress {
  /// The table of positions. It exists until the copy is complete.
  static let table = "iapkg_copy"
  /// The row that stores the identity of the source.
  private static let source = "source"

  /// The key of a PostgreSQL advisory lock. Each writing transaction holds it in shared mode. A copy holds it exclusively
  /// to begin and to finish, so that the copy sees all rows of the servers, and the servers see the copy's table.
  static let lock: Int64 = 0x6961_706B_68

  /// Refuses requests while a copy to the database is unfinished.
  ///
  /// - Throws: `unfinishedCopy`.
  static func refuseUnfinished(
    _ connection: any LedgerConnection, _ name: String
  ) throws(LedgerError) {
    guard try exists(connection) else { return }
    throw .unfinishedCopy(database: name)
  }

  private static func exists(_ connection: any LedgerConnection) throws(LedgerError) -> Bool {
    let query =
      switch connection.dialect {
      case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(table)'"
      case .postgres: "SELECT 1 WHERE to_regclass('iapkg.\(table)') IS NOT NULL"
      }
    return try connection.first(query) != nil
  }

  let connection: any LedgerConnection
  /// The name of the target, for messages.
  let name: String

  /// Begins a copy in an empty database, or resumes a copy from the source with the same identity.
  ///
  /// - Throws: `cannotOpen` if the database holds another ledger or copy.
  func begin(from identity: String) throws(LedgerError) {
    try lockExclusively()
    if try Self.exists(connection) {
      guard try position(Self.source) == identity else {
        throw .cannotOpen(
          database: name,
          reason: "it is an unfinished copy of another ledger; name an empty database")
      }
      return
    }
    guard try connection.first("SELECT 1 FROM entries LIMIT 1") == nil else {
      throw .cannotOpen(database: name, reason: "it already has a ledger; name an empty database")
    }
    try connection.run("CREATE TABLE \(Self.table) (part TEXT PRIMARY KEY, position TEXT NOT NULL)")
    for (part, position) in [(Self.source, identity)] + CopiedTable.all.map({ ($0.name, "") }) {
      try connection.run(
        "INSERT INTO \(Self.table) (part, position) VALUES (?1, ?2)", [.text(part), .text(position)])
    }
  }

  /// Waits until no other writing transaction is open.
  private func lockExclusively() throws(LedgerError) {
    guard connection.dialect == .postgres else { return }
    try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
  }

  /// Checks that no other process has finished the copy in the meantime.
  ///
  /// - Throws: `unavailable`.
  private func checkUnfinished() throws(LedgerError) {
    guard try Self.exists(connection) else { throw Self.concurrentCopy }
  }

  private static let concurrentCopy = LedgerError.unavailable(reason: "another process is copying to it")

  func position(of table: CopiedTable) throws(LedgerError) -> CopyPosition? {
    try checkUnfinished()
    return CopyPosition(try position(table.name), of: table)
  }

  private func position(_ part: String) throws(LedgerError) -> String {
    try connection.first("SELECT position FROM \(Self.table) WHERE part = ?1", [.text(part)])?.text(0) ?? ""
  }

  /// Records that a table is copied up to a row.
  ///
  /// - Throws: `unavailable` if another process copied rows in the meantime.
  func advance(
    _ table: CopiedTable, from old: CopyPosition?, to new: CopyPosition?
  ) throws(LedgerError) {
    try checkUnfinished()
    let moved = try connection.first(
      "UPDATE \(Self.table) SET position = ?1 WHERE part = ?2 AND position = ?3 RETURNING part",
      [.text(new?.text ?? ""), .text(table.name), .text(old?.text ?? "")])
    guard moved != nil else { throw Self.concurrentCopy }
  }

  func finish() throws(LedgerError) {
    try lockExclusively()
    try checkUnfinished()
    try connection.run("DROP TABLE \(Self.table)")
  }
}
