import Support

extension LedgerTransaction {
  /// The kibibytes that a probe writes. A request of one purchase changes about 25 pages of 4 KiB.
  private static let probedSize = 128

  /// Writes more than a request of one purchase does, so that the probe fails on a disk on which the request would.
  ///
  /// The text differs each time, because SQLite writes no page that stays the same. PostgreSQL writes into free space of
  /// its files first, so there a new table claims space of the disk; no other transaction sees it.
  func probe() throws(LedgerError) {
    var text = String(UInt64.random(in: 0 ... .max), radix: 16, width: 16)
    switch connection.dialect {
    case .sqlite: text = String(repeating: text, count: Self.probedSize << 10 / 16)
    case .postgres:
      // A purchase waits for another transaction's lock of any of these tables, and needs the right to insert.
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
}
