/// One transaction on the ledger: the statements that requests have in common.
///
/// It locks purchases first, in the order of their keys, then accounts, and balances last, so that two of them rarely wait
/// for one another in a circle.
final class LedgerTransaction {
  let connection: any LedgerConnection
  let settings: LedgerSettings
  /// The time of all its entries.
  let time: Int64
  /// Changes of balances that are made at the end.
  private var credits: [LedgerEntry] = []
  /// Accounts that this transaction made.
  private var created: Set<String> = []

  init(_ connection: any LedgerConnection, _ settings: LedgerSettings) {
    self.connection = connection
    self.settings = settings
    time = settings.clock()
  }

  /// Adds an entry.
  ///
  /// - Returns: its number; nil if its request or notification was entered before.
  @discardableResult func enter(_ entry: LedgerEntry) throws(LedgerError) -> Int64? {
    var entry = entry
    entry.time = time
    return try connection.first(LedgerEntry.insertion, entry.values)?.integer(0)
  }

  /// Notes that this transaction made an account.
  func noteCreated(_ account: String) { created.insert(account) }

  /// Whether this transaction made an account.
  func isCreated(_ account: String) -> Bool { created.contains(account) }

  /// Changes a balance at the end of the transaction.
  func credit(_ entry: LedgerEntry) { credits.append(entry) }

  /// Changes the balances. Each is locked before its entry gets its number, so that the entries of a balance are numbered
  /// in the order in which it changed.
  ///
  /// - Throws: `unavailable` if the same request was entered at this moment, so that this one is rolled back.
  func finish() throws(LedgerError) {
    let sorted = credits.sorted { Self.place($0).lexicographicallyPrecedes(Self.place($1)) }
    credits = []
    for entry in sorted {
      try connection.run(
        """
        INSERT INTO balances (account, environment, name, amount) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account, environment, name) DO UPDATE SET amount = balances.amount + excluded.amount
        """,
        [
          SQLValue(entry.account), SQLValue(entry.environment), SQLValue(entry.balance),
          SQLValue(entry.amount),
        ])
      guard try enter(entry) == nil, entry.requestIdentifier != nil else { continue }
      throw .unavailable(reason: "another request with the same identifier is being entered")
    }
  }

  private static func place(_ entry: LedgerEntry) -> [String] {
    [entry.account ?? "", entry.environment ?? "", entry.balance ?? ""]
  }
}
