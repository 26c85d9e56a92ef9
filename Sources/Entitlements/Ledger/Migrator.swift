/// Brings a database to this program's schema.
struct Migrator {
  /// The number of the lock in PostgreSQL under which only one program migrates.
  private static let lock: Int64 = 0x6961_706B_67

  let connection: any LedgerConnection
  let name: String
  let time: Int64
  /// Whether the database may be a copy that is not finished.
  var allowsCopy = false

  /// The version of the database's schema; 0 if it has none.
  ///
  /// - Throws: `newerSchema`; `cannotOpen` if the database holds tables of somebody else.
  func version() throws(LedgerError) -> Int {
    guard try hasTable("iapkg_schema") else {
      try refuseForeignTables()
      return 0
    }
    let isCopy = try hasTable(CopyProgress.table)
    guard allowsCopy || !isCopy else {
      throw .cannotOpen(
        database: name,
        reason:
          "it is a copy that is not finished; run 'iapkg-server migrate --to' to the same database again")
    }
    let found = Int(try connection.first("SELECT MAX(version) FROM iapkg_schema")?.integer(0) ?? 0)
    guard found <= Schema.version else {
      throw .newerSchema(database: name, found: found, known: Schema.version)
    }
    return found
  }

  /// Applies the migrations that are missing, in this one transaction.
  ///
  /// - Returns: the version that was found.
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

  /// Keeps other programs from migrating. In SQLite the transaction itself does.
  private func lockSchema() throws(LedgerError) {
    guard connection.dialect == .postgres else { return }
    // An index on a large table takes longer than a request may.
    try connection.run("SET LOCAL statement_timeout = 0")
    try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
    if try connection.first("SELECT 1 FROM pg_namespace WHERE nspname = 'iapkg'") == nil {
      try connection.run("CREATE SCHEMA iapkg")
    }
  }

  /// Whether the database has a table.
  func hasTable(_ table: String) throws(LedgerError) -> Bool {
    let query =
      switch connection.dialect {
      case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1"
      case .postgres: "SELECT 1 FROM pg_tables WHERE schemaname = 'iapkg' AND tablename = ?1"
      }
    return try connection.first(query, [.text(table)]) != nil
  }

  private func refuseForeignTables() throws(LedgerError) {
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
