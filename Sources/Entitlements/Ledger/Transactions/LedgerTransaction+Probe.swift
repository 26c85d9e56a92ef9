import Support

extension LedgerTransaction {
  /// The amount of data that a probe writes, in KiB. A request with one purchase changes about 25 pages of 4 KiB.
  private static let probedSize = 128

  /// Writes more data than a request with one purchase, so that the probe fails if the disk lacks room for such a request.
  ///
  /// The text differs each time, because SQLite does not write unchanged pages. PostgreSQL reuses free space in its files
  /// first, so the probe creates a table, which needs new disk space. No other transaction sees that table.
  func probe() throws(LedgerError) {
    var text = String(UInt64.random(in: 0 ... .max), radix: 16, width: 16)
    switch connection.dialect {
    case .sqlite: text = String(repeating: text, count: Self.probedSize << 10 / 16)
    case .postgres:
      // Like a purchase, waits for other transactions' locks on these tables, and needs the privilege to insert.
      for table in CopiedTable.all {
        try connection.run(
          "INSERT INTO \(table.name) OVERRIDING SYSTEM VALUE SELECT * FROM \(table.name) WHERE FALSE")
      }
      guard try connection.first("SELECT 1 WHERE has_schema_privilege('iapkg', 'CREATE')") != nil else {
        break
      }
      try connection.run("SAVEPOINT probe")
      try connection.run(
        """
        CREATE TABLE iapkg_probe AS
        SELECT repeat('x', 1000) AS content FROM generate_series(1, \(Self.probedSize))
        """)
      try connection.run("ROLLBACK TO SAVEPOINT probe")
    }
    try connection.run("UPDATE iapkg_schema SET probe = ?1 WHERE version = 1", [.text(text)])
  }

  /// Returns the names of the PostgreSQL settings that are off although only they keep entries in a power failure.
  func disabledDurabilitySettings() throws(LedgerError) -> [String] {
    guard connection.dialect == .postgres else { return [] }
    return try connection.rows(
      """
      SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
      """, []
    ).compactMap { $0.text(0) }
  }
}
