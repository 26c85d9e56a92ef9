/// Migrates a database to this program's schema.
struct Migrator {
  /// The key of the PostgreSQL advisory lock that serializes migrations.
  private static let lock: Int64 = 0x6961_706B_67

  let connection: any LedgerConnection
  let name: String
  let time: Int64
  /// Whether the database may be an incomplete copy.
  var allowsCopy = false

  /// Returns the schema version of the database; 0 if it has none.
  ///
  /// - Throws: `newerSchema`, `unfinishedCopy`; `cannotOpen` if the database has tables of another program, or cannot
  ///   store all text.
  func version() throws(LedgerError) -> Int {
    try checkEncoding()
    guard try hasTable("iapkg_schema") else {
      try refuseUnmanagedTables()
      return 0
    }
    let isCopy = try hasTable(CopyProgress.table)
    guard allowsCopy || !isCopy else { throw .unfinishedCopy(database: name) }
    let found = Int(try connection.first("SELECT MAX(version) FROM iapkg_schema")?.integer(0) ?? 0)
    guard found <= Schema.version else {
      throw .newerSchema(database: name, found: found, known: Schema.version)
    }
    return found
  }

  /// Applies the missing migrations in this transaction.
  ///
  /// - Returns: The version before the migration.
  func migrate() throws(LedgerError) -> Int {
    try lockSchema()
    let found = try version()
    if found == 0 {
      try connection.run("CREATE TABLE iapkg_schema (version BIGINT PRIMARY KEY, applied BIGINT NOT NULL)")
    }
    for (index, migration) in Schema.migrations.enumerated().dropFirst(found) {
      for statement in migration.statements(connection.dialect) { try connection.run(statement) }
      try connection.run(
        "INSERT INTO iapkg_schema (version, applied) VALUES (?1, ?2)",
        [.integer(Int64(index + 1)), .integer(time)])
    }
    return found
  }

  /// Prevents concurrent migrations. In SQLite, the transaction itself prevents them.
  private func lockSchema() throws(LedgerError) {
    guard connection.dialect == .postgres else { return }
    try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
    if try connection.first("SELECT 1 FROM pg_namespace WHERE nspname = 'iapkg'") == nil {
      try connection.run("CREATE SCHEMA iapkg")
    }
  }

  /// Returns whether the database has a table.
  func hasTable(_ table: String) throws(LedgerError) -> Bool {
    let query =
      switch connection.dialect {
      case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1"
      case .postgres: "SELECT 1 FROM pg_tables WHERE schemaname = 'iapkg' AND tablename = ?1"
      }
    return try connection.first(query, [.text(table)]) != nil
  }

  private func checkEncoding() throws(LedgerError) {
    guard connection.dialect == .postgres,
      let encoding = try connection.first("SELECT current_setting('server_encoding')")?.text(0),
      encoding != "UTF8"
    else { return }
    throw .cannotOpen(database: name, reason: "its encoding is \(encoding), expected UTF8")
  }

  private func refuseUnmanagedTables() throws(LedgerError) {
    let query =
      switch connection.dialect {
      case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1"
      case .postgres: "SELECT tablename FROM pg_tables WHERE schemaname = 'iapkg' LIMIT 1"
      }
    if let table = try connection.first(query)?.text(0) {
      throw .cannotOpen(database: name, reason: "it has a table '\(table)' but no schema of this program")
    }
  }
}
