/// A table derived from the entries, and the query that recomputes it.
struct AuditComparison: Sendable {
  let subject: AuditDifference.Subject
  /// The number of leading columns that identify a row. The others are its values.
  let keyColumnCount: Int
  /// The index of the column with a secret, which a difference shows as a digest.
  var secretColumn: Int?
  /// The query that recomputes the rows from the entries.
  let expected: String
  /// The query of the stored rows, with the same columns.
  let found: String
}

extension AuditComparison {
  /// Returns a query of the newest entries of some kinds, one for each value of the group columns.
  private static func newest(
    _ columns: String, kinds: String, of group: String, where condition: String = "1 = 1"
  )
    -> String
  {
    """
    SELECT \(columns) FROM entries JOIN (SELECT MAX(sequence) AS newest FROM entries WHERE kind IN (\(kinds))
    AND \(condition) GROUP BY \(group)) AS last ON sequence = newest
    """
  }

  /// Requests and notifications with more than one entry. A damaged index permits them, so the query must not use an
  /// index. The query compares concatenated values, which no index contains.
  static let repeatedEntries = AuditComparison(
    subject: .request, keyColumnCount: 2, expected: "SELECT '', '', 1 WHERE 1 = 0",
    found: """
      SELECT owner, name, COUNT(*) FROM (SELECT account || '' AS owner, request_id || '' AS name FROM entries
      UNION ALL SELECT '-', notification_id || '' FROM entries) AS named
      WHERE owner IS NOT NULL AND name IS NOT NULL GROUP BY owner, name HAVING COUNT(*) > 1
      """)

  static let all = [
    repeatedEntries,
    AuditComparison(
      subject: .account, keyColumnCount: 1, secretColumn: 1,
      // The reason is 'token ' and the token.
      expected: """
        SELECT account, MAX(SUBSTR(reason, 7)), COALESCE(MAX(token_is_signed), 0), MIN(time) FROM entries
        WHERE kind = 'account' GROUP BY account
        """, found: "SELECT id, token, token_is_signed, created FROM accounts"),
    AuditComparison(
      subject: .balance, keyColumnCount: 3,
      expected: """
        SELECT account, environment, balance, CAST(SUM(amount) AS BIGINT) FROM entries WHERE amount IS NOT NULL
        GROUP BY account, environment, balance
        """, found: "SELECT account, environment, name, amount FROM balances"),
    AuditComparison(
      subject: .purchase, keyColumnCount: 2,
      expected: """
        SELECT environment, purchase, COALESCE(MAX(is_consumable), 0) FROM entries WHERE kind = 'purchase'
        GROUP BY environment, purchase
        """, found: "SELECT environment, key, is_consumable FROM purchases"),
    AuditComparison(
      subject: .unit, keyColumnCount: 3,
      expected:
        "SELECT environment, purchase, balance, unit FROM entries WHERE kind = 'purchase' AND unit IS NOT NULL",
      found: "SELECT environment, key, balance, unit FROM purchase_credits"),
    AuditComparison(
      subject: .credit, keyColumnCount: 3,
      expected: """
        SELECT environment, purchase, balance, CAST(SUM(amount) AS BIGINT) FROM entries WHERE kind = 'credit'
        GROUP BY environment, purchase, balance HAVING SUM(amount) <> 0
        """, found: "SELECT environment, key, balance, applied FROM purchase_credits WHERE applied <> 0"),
    AuditComparison(
      subject: .owner, keyColumnCount: 2,
      expected: newest(
        "environment, purchase, account", kinds: "'claim', 'transfer'", of: "environment, purchase"),
      found: "SELECT environment, key, account FROM purchases WHERE account IS NOT NULL"),
    AuditComparison(
      subject: .proof, keyColumnCount: 2,
      expected: newest(
        "environment, purchase, COALESCE(proof, 'proven')", kinds: "'claim', 'transfer', 'prove'",
        of: "environment, purchase"),
      found: "SELECT environment, key, proof FROM purchases WHERE account IS NOT NULL"),
    AuditComparison(
      subject: .share, keyColumnCount: 3,
      expected: "SELECT environment, purchase, account FROM entries WHERE kind = 'share'",
      found: "SELECT environment, key, account FROM shares"),
    AuditComparison(
      subject: .transaction, keyColumnCount: 3,
      expected: newest(
        """
        environment, purchase, transaction_id, product, quantity, signed_date, expires_date, revocation_date,
        revocation_share, COALESCE(is_upgraded, 0)
        """, kinds: "'transaction'", of: "environment, purchase, transaction_id"),
      found: """
        SELECT environment, key, id, product, quantity, signed_date, expires_date, revocation_date, revocation_share,
        is_upgraded FROM transactions
        """),
    AuditComparison(
      subject: .entitlement, keyColumnCount: 4,
      expected: """
        SELECT account, environment, product, source, expires_date, withheld FROM (\(newest(
          """
          account, environment, product, COALESCE(purchase, '') AS source, expires_date, kind,
          CASE kind WHEN 'revoke' THEN 1 ELSE 0 END AS withheld
          """, kinds: "'entitle', 'withdraw', 'grant', 'revoke'",
          of: "account, environment, product, purchase", where: "product IS NOT NULL"))) AS newest_entries
        WHERE kind <> 'withdraw'
        """,
      found: "SELECT account, environment, product, source, expires, is_withheld FROM entitlements"),
    // No spending may overdraw a balance, in the order of the entries.
    AuditComparison(
      subject: .spending, keyColumnCount: 4, expected: "SELECT '', '', '', '', 0 WHERE 1 = 0",
      found: """
        SELECT account, environment, balance, request_id, CAST(running AS BIGINT) FROM (
        SELECT account, environment, balance, request_id, kind,
        SUM(amount) OVER (PARTITION BY account, environment, balance ORDER BY sequence) AS running
        FROM entries WHERE amount IS NOT NULL) AS sums WHERE kind = 'spend' AND running < 0
        """),
  ]
}
