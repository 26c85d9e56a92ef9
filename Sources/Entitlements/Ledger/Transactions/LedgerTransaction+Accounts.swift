import Support

extension LedgerTransaction {
  /// Returns whether an account exists.
  func exists(_ account: String) throws(LedgerError) -> Bool {
    try connection.first("SELECT 1 FROM accounts WHERE id = ?1", [.text(account)]) != nil
  }

  /// Returns the account of a signed token; nil if there is none.
  func knownAccount(token: String) throws(LedgerError) -> String? {
    try connection.first("SELECT id FROM accounts WHERE token = ?1 AND token_is_signed = 1", [.text(token)])?
      .text(0)
  }

  /// Returns the account of a signed token, and creates it if needed.
  func account(token: String) throws(LedgerError) -> String {
    if let known = try knownAccount(token: token) { return known }
    return try makeAccount(token: token)
  }

  /// Creates an account, or returns the account that a concurrent transaction created for the same signed token.
  func makeAccount(token: String?) throws(LedgerError) -> String {
    let identifier = UUIDText.random()
    let isSigned = token != nil
    let inserted = try connection.first(
      """
      INSERT INTO accounts (id, token, token_is_signed, created) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO NOTHING RETURNING id
      """,
      [.text(identifier), SQLValue(token), SQLValue(isSigned), .integer(time)])
    guard inserted == nil else {
      var entry = LedgerEntry(.account, account: identifier, reason: token.map { "token \($0)" })
      entry.isTokenSigned = isSigned
      try enter(entry)
      return identifier
    }
    guard let token, let found = try knownAccount(token: token) else {
      throw .unavailable(reason: "an account was neither created nor found")
    }
    return found
  }

  // MARK: Holdings

  /// Returns the entitlements and balances of an account in an environment.
  func holdings(of account: String, in environment: String) throws(LedgerError) -> Holdings {
    Holdings(
      entitlements: try entitlements(of: account, in: environment),
      balances: try balances(of: account, in: environment))
  }

  /// Returns the products that an account may fetch now, from all purchases or those with the given keys. Excludes
  /// products that support staff withhold.
  func entitlements(
    of account: String, in environment: String, from purchases: Set<String>? = nil
  ) throws(LedgerError) -> [Entitlement] {
    let rows = try connection.rows(
      "SELECT product, expires, is_withheld, source FROM entitlements WHERE account = ?1 AND environment = ?2",
      [.text(account), .text(environment)])
    var ends: [String: Int64] = [:]
    for row in rows where purchases?.contains(row.text(3) ?? "") ?? true {
      guard let product = row.text(0) else { continue }
      ends[product] = max(ends[product] ?? .min, row.integer(1) ?? .max)
    }
    for row in rows where row.integer(2) == 1 { row.text(0).map { ends[$0] = nil } }
    return ends.filter { $0.value > time }.sorted { $0.key < $1.key }
      .map { Entitlement(productIdentifier: $0.key, expires: $0.value == .max ? nil : $0.value) }
  }

  /// Returns the balances of an account in an environment, by name.
  func balances(of account: String, in environment: String) throws(LedgerError) -> [String: Int64] {
    let rows = try connection.rows(
      "SELECT name, amount FROM balances WHERE account = ?1 AND environment = ?2",
      [.text(account), .text(environment)])
    return rows.reduce(into: [:]) { balances, row in row.text(0).map { balances[$0] = row.integer(1) } }
  }
}
