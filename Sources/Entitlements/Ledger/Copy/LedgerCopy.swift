/// Copies the rows of a ledger to an empty SQLite or PostgreSQL database. Copied rows persist if the process ends, and
/// the next copy resumes after them.
struct LedgerCopy {
  /// The maximum number of rows in one INSERT.
  private static let maximumRowCount = 100

  let source: any LedgerDatabase
  let target: any LedgerDatabase
  let time: Int64

  /// Copies all rows.
  ///
  /// - Throws: `cannotOpen` if the source is damaged or lacks a table or column, or the target holds another ledger or copy,
  ///   or a server wrote to it during the copy; `unavailable` if the source changed, or another process copies to the
  ///   target.
  func run() async throws(LedgerError) {
    try await begin()
    if try await copy(.entries) { try await restartDerivedTables() }
    for table in CopiedTable.all.dropFirst() { _ = try await copy(table) }
    let isComplete = try await Self.counts(source) == Self.counts(target)
    guard try await !hasUncopiedEntries() else {
      throw .unavailable(
        reason:
          "the ledger \(source.name) changed while it was copied; stop the servers that use it, and try again"
      )
    }
    guard isComplete else { throw unexpectedRows }
  }

  /// The error for rows that the copy did not write. It contains none of their values, which are secret.
  private var unexpectedRows: LedgerError {
    .cannotOpen(
      database: target.name, reason: "a server wrote to this copy; stop it and name an empty database")
  }

  /// Returns the number of rows of each table.
  private static func counts(_ database: any LedgerDatabase) async throws(LedgerError) -> [Int64?] {
    try await database.read { (connection) throws(LedgerError) in
      try CopiedTable.all.map { (table) throws(LedgerError) in
        try connection.first("SELECT COUNT(*) FROM \(table.name)")?.integer(0)
      }
    }
  }

  /// Completes the copy, so that servers may use the target.
  func finish() async throws(LedgerError) {
    let name = target.name
    try await target.write { (connection) throws(LedgerError) in
      try CopyProgress(connection: connection, name: name).finish()
    }
  }

  private func begin() async throws(LedgerError) {
    let (sourceName, name, time) = (source.name, target.name, time)
    let first = try await source.read { (connection) throws(LedgerError) in
      let transaction = LedgerTransaction(connection, LedgerSettings { time })
      var differences = try transaction.fileDifferences()
      if differences.isEmpty { differences = try transaction.missingColumns() }
      if let damage = differences.first {
        let detail = damage.isUnreadableFile ? "" : " (\(damage))"
        throw .cannotOpen(database: sourceName, reason: "it is damaged\(detail); restore it from a backup")
      }
      return try connection.first(
        "SELECT time, account, purchase, notification_id FROM entries ORDER BY sequence LIMIT 1")
    }
    let identity = first.map { CopyPosition($0.columns).text } ?? ""
    try await target.write { (connection) throws(LedgerError) in
      let migrator = Migrator(connection: connection, name: name, time: time, allowsCopy: true)
      _ = try migrator.migrate()
      try CopyProgress(connection: connection, name: name).begin(from: identity)
    }
  }

  /// Copies the missing rows of a table.
  ///
  /// - Returns: Whether any rows were missing.
  private func copy(_ table: CopiedTable) async throws(LedgerError) -> Bool {
    let name = target.name
    var position = try await target.read { (connection) throws(LedgerError) in
      try CopyProgress(connection: connection, name: name).position(of: table)
    }
    var hasCopied = false
    while true {
      let rows = try await rows(of: table, after: position)
      guard let last = rows.last else { return hasCopied }
      let (old, new) = (position, CopyPosition(Array(last.columns.suffix(table.key.count))))
      let unexpectedRows = unexpectedRows
      try await target.write { (connection) throws(LedgerError) in
        try CopyProgress(connection: connection, name: name).advance(table, from: old, to: new)
        guard try Self.insert(rows, into: table, connection) == rows.count else { throw unexpectedRows }
      }
      position = new
      hasCopied = true
    }
  }

  private func rows(
    of table: CopiedTable, after position: CopyPosition?
  ) async throws(LedgerError) -> [SQLRow] {
    try await source.read { (connection) throws(LedgerError) in
      try connection.rows(table.query(after: position), position?.key ?? [])
    }
  }

  /// Inserts the rows that the table lacks.
  ///
  /// - Returns: The number of inserted rows.
  private static func insert(
    _ rows: [SQLRow], into table: CopiedTable, _ connection: any LedgerConnection
  ) throws(LedgerError) -> Int {
    var remaining = rows[...]
    var inserted = 0
    while !remaining.isEmpty {
      let count = remaining.count >= maximumRowCount ? maximumRowCount : 1
      inserted += try connection.rows(
        table.insertion(of: count), remaining.prefix(count).flatMap { $0.columns.prefix(table.columns.count) }
      ).count
      remaining = remaining.dropFirst(count)
    }
    return inserted
  }

  /// Clears the copied derived tables, which new entries have made stale, and restarts their copy.
  private func restartDerivedTables() async throws(LedgerError) {
    let name = target.name
    try await target.write { (connection) throws(LedgerError) in
      let progress = CopyProgress(connection: connection, name: name)
      for table in CopiedTable.all.dropFirst() {
        guard let position = try progress.position(of: table) else { continue }
        try connection.run("DELETE FROM \(table.name)")
        try progress.advance(table, from: position, to: nil)
      }
    }
  }

  private func hasUncopiedEntries() async throws(LedgerError) -> Bool {
    let name = target.name
    let position = try await target.read { (connection) throws(LedgerError) in
      try CopyProgress(connection: connection, name: name).position(of: .entries)
    }
    return try await !rows(of: .entries, after: position).isEmpty
  }
}

extension Ledger {
  /// Copies a ledger to an empty database, or resumes an interrupted copy, and audits the copy. Servers refuse the
  /// target until an audit finds no difference.
  ///
  /// - Returns: The result of the audit.
  /// - Throws: `olderSchema` if the ledger was not migrated; `cannotWrite` if only the `-wal` of an SQLite target has all
  ///   entries; the errors of opening and of the copy.
  public static func copy(
    _ location: DatabaseLocation, to destination: DatabaseLocation
  ) async throws(LedgerError) -> AuditReport {
    let settings = LedgerSettings(connections: 2)
    let ledger = try await openMigrated(location, settings)
    defer { ledger.close() }
    let target = try await connect(destination, settings)
    defer { target.close() }
    let copy = LedgerCopy(source: ledger.database, target: target, time: settings.clock())
    try await copy.run()
    let report = try await target.read { (connection) throws(LedgerError) in
      try LedgerTransaction(connection, settings).audit()
    }
    guard report.isConsistent else { return report }
    try await copy.finish()
    if let file = target as? SQLiteDatabase { try file.checkpoint() }
    return report
  }
}
