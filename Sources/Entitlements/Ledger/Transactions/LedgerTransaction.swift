/// A database transaction on the ledger, with the statements that several requests use.
///
/// Locks are taken on purchases in the order of their keys, then on accounts, then on balances, so that deadlocks are
/// rare.
final class LedgerTransaction {
  let connection: any LedgerConnection
  let settings: LedgerSettings
  /// The time of all entries, in milliseconds since 1970.
  let time: Int64
  /// The balance changes to apply at the end.
  private var balanceChanges: [LedgerEntry] = []
  /// The key of each account's first purchase before this transaction, by account and environment; nil if there is
  /// none.
  var firstPurchases: [[String]: String?] = [:]

  init(_ connection: any LedgerConnection, _ settings: LedgerSettings) {
    self.connection = connection
    self.settings = settings
    time = settings.clock()
  }

  /// Adds an entry.
  ///
  /// - Returns: The sequence number; nil if the request or notification was entered before.
  @discardableResult func enter(_ entry: LedgerEntry) throws(LedgerError) -> Int64? {
    var entry = entry
    entry.time = time
    return try connection.first(LedgerEntry.insertion, entry.values)?.integer(0)
  }

  /// Locks an account until the end of the transaction.
  func lock(_ account: String) throws(LedgerError) {
    try connection.run(
      "SELECT 1 FROM accounts WHERE id = ?1" + connection.dialect.forUpdate, [.text(account)])
  }

  /// Schedules a balance change for the end of the transaction.
  func scheduleBalanceChange(_ entry: LedgerEntry) { balanceChanges.append(entry) }

  /// Applies the balance changes. Each balance is locked before its entry is numbered, so that the numbers follow the
  /// order of the changes.
  ///
  /// - Throws: `unavailable` if the same request was entered concurrently, which rolls this transaction back.
  func finish() throws(LedgerError) {
    let sorted = balanceChanges.sorted { Self.balanceKey($0).lexicographicallyPrecedes(Self.balanceKey($1)) }
    balanceChanges = []
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
      throw .unavailable(reason: "another request with the same identifier is in progress")
    }
  }

  private static func balanceKey(_ entry: LedgerEntry) -> [String] {
    [entry.account ?? "", entry.environment ?? "", entry.balance ?? ""]
  }
}
