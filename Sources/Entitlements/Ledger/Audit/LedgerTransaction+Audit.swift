extension LedgerTransaction {
  /// Checks the file and the schema, recomputes the derived tables from the entries, and reports the differences.
  /// Recomputes nothing if the file is damaged, a table or column is missing, or a column has values of another type.
  func audit() throws(LedgerError) -> AuditReport {
    var differences = try structuralDifferences()
    let isComparable = !differences.contains { $0.subject == .file || $0.key.first == SchemaPart.column }
    let values = try isComparable ? mistypedValues() : []
    differences += values
    guard isComparable, values.isEmpty else {
      return AuditReport(entries: 0, accounts: 0, purchases: 0, differences: differences)
    }
    for comparison in AuditComparison.all { differences += try self.differences(comparison) }
    differences += try missingEntries()
    differences += try wrongEffects()
    return AuditReport(
      entries: try count("entries"), accounts: try count("accounts"), purchases: try count("purchases"),
      differences: differences)
  }

  /// Reports damage of the SQLite file, and differences between the schema and that of this program.
  func structuralDifferences() throws(LedgerError) -> [AuditDifference] {
    let damage = try fileDifferences()
    // Damage can make the schema unreadable.
    guard damage.isEmpty else { return damage + ((try? schemaDifferences()) ?? []) }
    return try schemaDifferences()
  }

  /// Reports damage of the SQLite file. An index that lacks an entry lets the same request be entered twice. The report
  /// therefore begins with the requests and notifications that the table contains more than once.
  func fileDifferences() throws(LedgerError) -> [AuditDifference] {
    guard connection.dialect == .sqlite else { return [] }
    let damage: [String]
    do throws(LedgerError) {
      damage = try connection.rows("PRAGMA integrity_check", []).compactMap { $0.text(0) }
    } catch {
      guard case .damaged(let reason) = error else { throw error }
      return [.damage(reason)]
    }
    guard damage != ["ok"] else { return [] }
    let repeated = (try? differences(.repeatedEntries)) ?? []
    return repeated + damage.map { .damage($0) }
  }

  /// Reports differences of the schema, and damage of an SQLite file that a check reads within seconds.
  func startupDifferences() throws(LedgerError) -> [AuditDifference] {
    try isQuicklyChecked() ? structuralDifferences() : schemaDifferences()
  }

  /// Returns whether the database is an SQLite file that a check reads within seconds.
  private func isQuicklyChecked() throws(LedgerError) -> Bool {
    guard connection.dialect == .sqlite else { return false }
    let sizes = try ["page_count", "page_size"].map { (pragma) throws(LedgerError) in
      try connection.first("PRAGMA \(pragma)")?.integer(0) ?? 0
    }
    return sizes.reduce(1, *) <= LedgerLimits.maximumCheckedFileSize
  }

  /// Reports missing and changed parts of the schema, and parts that this program did not create and that could change
  /// or hide rows.
  private func schemaDifferences() throws(LedgerError) -> [AuditDifference] {
    let expected = try SchemaPart.expected(connection.dialect)
    let found = try SchemaPart.found(connection)
    let unexpected = found.keys.filter { SchemaPart.closedKinds.contains($0.kind) && expected[$0] == nil }
    return (expected.keys.filter { expected[$0] != found[$0] } + unexpected).map { part in
      AuditDifference(
        subject: .schema, key: [part.kind, part.name], expected: expected[part], found: found[part])
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Reports missing columns, which include those of missing tables.
  func missingColumns() throws(LedgerError) -> [AuditDifference] {
    try schemaDifferences().filter { $0.key.first == SchemaPart.column && $0.found == nil }
  }

  /// Reports SQLite columns with values that do not have the declared type, which SQLite permits.
  private func mistypedValues() throws(LedgerError) -> [AuditDifference] {
    guard connection.dialect == .sqlite else { return [] }
    let columns = try SchemaPart.expected(.sqlite).filter { $0.key.kind == SchemaPart.column }
      .map { (name: $0.key.name, type: $0.value.hasPrefix("TEXT") ? "text" : "integer") }
      .sorted { $0.name < $1.name }
    var differences: [AuditDifference] = []
    for (table, columns) in Dictionary(grouping: columns, by: { $0.name.prefix { $0 != "." } }) {
      let sums = columns.map { column in
        "SUM(typeof(\(column.name)) NOT IN ('null', '\(column.type)'))"
      }
      let row = try connection.first("SELECT \(sums.joined(separator: ", ")) FROM \(table)")
      for (index, column) in columns.enumerated() {
        guard let count = row?.integer(index), count > 0 else { continue }
        differences.append(
          .mistypedValues(in: column.name, expected: column.type, found: "\(count) of another type"))
      }
    }
    return differences.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  private func count(_ table: String) throws(LedgerError) -> Int64 {
    try connection.first("SELECT COUNT(*) FROM \(table)")?.integer(0) ?? 0
  }

  /// Returns the rows that only one of the two queries yields.
  private func differences(_ comparison: AuditComparison) throws(LedgerError) -> [AuditDifference] {
    let missing = try connection.rows("\(comparison.expected) EXCEPT \(comparison.found)", [])
    let unexpected = try connection.rows("\(comparison.found) EXCEPT \(comparison.expected)", [])
    var differences: [[String]: AuditDifference] = [:]
    func record(_ row: SQLRow, as side: WritableKeyPath<AuditDifference, String?>) {
      let texts = row.columns.enumerated().map { column, value in
        column == comparison.secretColumn ? value.secretDigest : Self.text(of: value)
      }
      let key = Array(texts.prefix(comparison.keyColumnCount))
      let values = texts.dropFirst(comparison.keyColumnCount).joined(separator: " ")
      var difference = differences[key] ?? AuditDifference(subject: comparison.subject, key: key)
      difference[keyPath: side] = values.isEmpty ? "it" : values
      differences[key] = difference
    }
    for row in missing { record(row, as: \.expected) }
    for row in unexpected { record(row, as: \.found) }
    return differences.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  private static func text(of value: SQLValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let value): String(value)
    case .text(let value): value
    }
  }

  /// Reports a gap in the sequence numbers of SQLite. PostgreSQL leaves gaps where a transaction was rolled back.
  private func missingEntries() throws(LedgerError) -> [AuditDifference] {
    guard connection.dialect == .sqlite,
      let row = try connection.first("SELECT COUNT(*), COALESCE(MAX(sequence), 0) FROM entries"),
      row.integer(0) != row.integer(1)
    else { return [] }
    return [
      AuditDifference(
        subject: .sequence, key: ["entries"], expected: Self.text(of: row.columns[1]),
        found: Self.text(of: row.columns[0]))
    ]
  }

  /// Compares the credits and entitlements of all purchases with those computed from their transactions.
  private func wrongEffects() throws(LedgerError) -> [AuditDifference] {
    var differences: [AuditDifference] = []
    var last = PurchaseKey(environment: "", key: "")
    var remaining = try count("purchases")
    while let batch = try AuditedPurchases(after: last, connection) {
      remaining -= Int64(batch.count)
      guard remaining >= 0 else {
        // A key with invalid text is read as a different key, so the next query would return the same rows.
        return differences + [
          .mistypedValues(in: "purchases.key", expected: "text", found: "an invalid value")
        ]
      }
      differences += batch.differences()
      last = batch.last
    }
    return differences
  }
}

/// A batch of purchases in the order of their keys, with their states, credits and entitlements.
private struct AuditedPurchases {
  private var owners: [(key: PurchaseKey, account: String?)] = []
  private var states: [PurchaseKey: [TransactionState]] = [:]
  private var credits: [PurchaseKey: [String: (unit: Int64, applied: Int64)]] = [:]
  /// The products to which each purchase entitles accounts, with their expiry dates, by account.
  private var products: [PurchaseKey: [String: [String: Int64?]]] = [:]
  let last: PurchaseKey
  var count: Int { owners.count }

  /// Reads the next purchases after a key; nil if there are none.
  init?(after first: PurchaseKey, _ connection: any LedgerConnection) throws(LedgerError) {
    let rows = try connection.rows(
      """
      SELECT environment, key, account FROM purchases WHERE (environment, key) > (?1, ?2)
      ORDER BY environment, key LIMIT \(LedgerLimits.auditBatchSize)
      """, [.text(first.environment), .text(first.key)])
    owners = rows.map { (Self.key($0), $0.text(2)) }
    guard let last = owners.last?.key else { return nil }
    self.last = last
    let range: [SQLValue] = [
      .text(first.environment), .text(first.key), .text(last.environment), .text(last.key),
    ]
    func parts(_ columns: String, _ table: String, key: String) throws(LedgerError) -> [SQLRow] {
      try connection.rows(
        """
        SELECT environment, \(key), \(columns) FROM \(table)
        WHERE (environment, \(key)) > (?1, ?2) AND (environment, \(key)) <= (?3, ?4)
        """, range)
    }
    for row in try parts(LedgerTransaction.stateColumns, "transactions", key: "key") {
      states[Self.key(row), default: []].append(
        LedgerTransaction.state(SQLRow(columns: Array(row.columns.dropFirst(2)))))
    }
    for row in try parts("balance, unit, applied", "purchase_credits", key: "key") {
      credits[Self.key(row), default: [:]][row.text(2) ?? ""] = (row.integer(3) ?? 0, row.integer(4) ?? 0)
    }
    for row in try parts("account, product, expires", "entitlements", key: "source") {
      products[Self.key(row), default: [:]][row.text(2) ?? "", default: [:]]
        .updateValue(row.integer(4), forKey: row.text(3) ?? "")
    }
  }

  private static func key(_ row: SQLRow) -> PurchaseKey {
    PurchaseKey(environment: row.text(0) ?? "", key: row.text(1) ?? "")
  }

  func differences() -> [AuditDifference] { owners.flatMap { differences(of: $0.key, account: $0.account) } }

  private func differences(of key: PurchaseKey, account: String?) -> [AuditDifference] {
    let name = [key.environment, key.key]
    let applied = credits[key] ?? [:]
    let rights = PurchaseRights(transactions: states[key] ?? [], units: applied.mapValues(\.unit))
    var differences: [AuditDifference] = []
    for (balance, known) in applied {
      let target = account == nil ? 0 : rights.credits[balance] ?? 0
      guard target != known.applied else { continue }
      differences.append(
        AuditDifference(
          subject: .credit, key: name + [balance], expected: String(target), found: String(known.applied)))
    }
    let expected = account == nil ? [:] : rights.products
    let found = account.flatMap { products[key]?[$0] } ?? [:]
    for product in Set(expected.keys).union(found.keys).sorted() where expected[product] != found[product] {
      differences.append(
        AuditDifference(
          subject: .entitlement, key: [account ?? "-"] + name + [product],
          expected: expected[product].map(Self.end), found: found[product].map(Self.end)))
    }
    return differences
  }

  private static func end(_ expires: Int64?) -> String { expires.map { "until \($0)" } ?? "for ever" }
}

extension SQLValue {
  /// The text that messages show for a secret: the beginning of its digest.
  fileprivate var secretDigest: String {
    if case .text(let secret) = self { AccountRecord.digest(of: secret) } else { "-" }
  }
}

extension AuditDifference {
  fileprivate static func damage(_ found: String) -> Self {
    AuditDifference(subject: .file, key: ["integrity"], expected: nil, found: found)
  }

  fileprivate static func mistypedValues(in column: String, expected: String, found: String) -> Self {
    AuditDifference(subject: .schema, key: ["values", column], expected: expected, found: found)
  }
}

extension AuditReport {
  /// Creates the report of a file that is too damaged to be opened or read.
  fileprivate init(damage: String) {
    self.init(entries: 0, accounts: 0, purchases: 0, differences: [.damage(damage)])
  }
}

extension Ledger {
  /// Opens an existing ledger and audits it. If the file is too damaged to be opened or read, returns a report of the
  /// damage.
  ///
  /// - Throws: `olderSchema` if the database was not migrated; the errors of opening and reading other than `damaged`.
  public static func audit(
    _ location: DatabaseLocation, _ settings: LedgerSettings
  ) async throws(LedgerError) -> AuditReport {
    do throws(LedgerError) {
      let ledger = try await openMigrated(location, settings)
      defer { ledger.close() }
      return try await ledger.audit()
    } catch {
      guard case .damaged(let reason) = error else { throw error }
      return AuditReport(damage: reason)
    }
  }

  /// Compares the schema of the database with that of this program, and checks an SQLite file and its indexes, because
  /// a damaged index would let a request count twice. Skips the check of a file of more than 512 MiB, which would take
  /// too long at each start.
  public func startupDifferences() async throws(LedgerError) -> [AuditDifference] {
    try await read { (transaction) throws(LedgerError) in try transaction.startupDifferences() }
  }

  /// Checks an SQLite file, and compares the schema of the database with that of this program.
  public func structuralDifferences() async throws(LedgerError) -> [AuditDifference] {
    try await read { (transaction) throws(LedgerError) in try transaction.structuralDifferences() }
  }

  /// Recomputes accounts, balances and entitlements from the entries, in one snapshot of the database.
  public func audit() async throws(LedgerError) -> AuditReport {
    try await read(isLimited: false) { (transaction) throws(LedgerError) in try transaction.audit() }
  }
}
