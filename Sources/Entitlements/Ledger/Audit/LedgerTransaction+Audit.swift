extension LedgerTransaction {
  /// Compares the schema with that of this program, recomputes the derived tables from the entries, and reports the
  /// differences. Without all tables and columns, nothing is recomputed.
  func audit() throws(LedgerError) -> AuditReport {
    // An audit has no time limit.
    if connection.dialect == .postgres { try connection.run("SET LOCAL statement_timeout = 0") }
    var differences = try schemaDifferences()
    guard !differences.contains(where: { $0.key.first == SchemaPart.column }) else {
      return AuditReport(entries: 0, accounts: 0, purchases: 0, differences: differences)
    }
    for comparison in AuditComparison.all { differences += try self.differences(comparison) }
    differences += try missingEntries()
    differences += try wrongEffects()
    return AuditReport(
      entries: try count("entries"), accounts: try count("accounts"), purchases: try count("purchases"),
      differences: differences)
  }

  /// Reports missing and changed parts of the schema, and triggers that this program did not create.
  private func schemaDifferences() throws(LedgerError) -> [AuditDifference] {
    let expected = try SchemaPart.expected(connection.dialect)
    let found = try SchemaPart.found(connection)
    let surplus = found.keys.filter { $0.kind == SchemaPart.trigger && expected[$0] == nil }
    return (expected.keys.filter { expected[$0] != found[$0] } + surplus).map { part in
      AuditDifference(
        subject: .schema, key: [part.kind, part.name], expected: expected[part], found: found[part])
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  private func count(_ table: String) throws(LedgerError) -> Int64 {
    try connection.first("SELECT COUNT(*) FROM \(table)")?.integer(0) ?? 0
  }

  /// Returns the rows that only one of the two queries yields.
  private func differences(_ comparison: AuditComparison) throws(LedgerError) -> [AuditDifference] {
    let missing = try connection.rows("\(comparison.expected) EXCEPT \(comparison.found)", [])
    let surplus = try connection.rows("\(comparison.found) EXCEPT \(comparison.expected)", [])
    var differences: [[String]: AuditDifference] = [:]
    func note(_ row: SQLRow, _ value: WritableKeyPath<AuditDifference, String?>) {
      let words = row.columns.map(Self.word)
      let key = Array(words.prefix(comparison.keyColumns))
      let rest = words.dropFirst(comparison.keyColumns).joined(separator: " ")
      var difference = differences[key] ?? AuditDifference(subject: comparison.subject, key: key)
      difference[keyPath: value] = rest.isEmpty ? "it" : rest
      differences[key] = difference
    }
    for row in missing { note(row, \.expected) }
    for row in surplus { note(row, \.found) }
    return differences.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  private static func word(_ value: SQLValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let value): String(value)
    case .text(let value): value
    }
  }

  /// Reports a gap in the entry numbers of SQLite. PostgreSQL leaves gaps where a transaction was rolled back.
  private func missingEntries() throws(LedgerError) -> [AuditDifference] {
    guard connection.dialect == .sqlite,
      let row = try connection.first("SELECT COUNT(*), COALESCE(MAX(sequence), 0) FROM entries"),
      row.integer(0) != row.integer(1)
    else { return [] }
    return [
      AuditDifference(
        subject: .sequence, key: ["entries"], expected: Self.word(row.columns[1]),
        found: Self.word(row.columns[0]))
    ]
  }

  /// Compares the credits and entitlements of all purchases with those computed from their transactions.
  private func wrongEffects() throws(LedgerError) -> [AuditDifference] {
    var differences: [AuditDifference] = []
    var last = PurchaseKey(environment: "", key: "")
    while let part = try AuditedPurchases(after: last, connection) {
      differences += part.differences()
      last = part.last
    }
    return differences
  }
}

/// A batch of purchases in the order of their keys, with their states, credits and entitlements.
private struct AuditedPurchases {
  private var owners: [(key: PurchaseKey, account: String?)] = []
  private var states: [PurchaseKey: [TransactionState]] = [:]
  private var credits: [PurchaseKey: [String: (unit: Int64, applied: Int64)]] = [:]
  /// The products that each purchase entitles to, with their expiry dates, by account.
  private var products: [PurchaseKey: [String: [String: Int64?]]] = [:]
  let last: PurchaseKey

  /// Reads the next purchases after a key; nil if there are none.
  init?(after first: PurchaseKey, _ connection: any LedgerConnection) throws(LedgerError) {
    let rows = try connection.rows(
      """
      SELECT environment, key, account FROM purchases WHERE (environment, key) > (?1, ?2)
      ORDER BY environment, key LIMIT \(LedgerLimits.auditedAtOnce)
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
    let place = [key.environment, key.key]
    let applied = credits[key] ?? [:]
    let rights = PurchaseRights(transactions: states[key] ?? [], units: applied.mapValues(\.unit))
    var differences: [AuditDifference] = []
    for (balance, known) in applied {
      let target = account == nil ? 0 : rights.credits[balance] ?? 0
      guard target != known.applied else { continue }
      differences.append(
        AuditDifference(
          subject: .credit, key: place + [balance], expected: String(target), found: String(known.applied)))
    }
    let wanted = account == nil ? [:] : rights.products
    let held = account.flatMap { products[key]?[$0] } ?? [:]
    for product in Set(wanted.keys).union(held.keys).sorted() where wanted[product] != held[product] {
      differences.append(
        AuditDifference(
          subject: .entitlement, key: [account ?? "-"] + place + [product],
          expected: wanted[product].map(Self.end), found: held[product].map(Self.end)))
    }
    return differences
  }

  private static func end(_ expires: Int64?) -> String { expires.map { "until \($0)" } ?? "for ever" }
}

extension Ledger {
  /// Recomputes accounts, balances and entitlements from the entries, in one snapshot of the database.
  public func audit() async throws(LedgerError) -> AuditReport {
    try await read { (transaction) throws(LedgerError) in try transaction.audit() }
  }
}
