/// The limits of the ledger, in one place.
enum LedgerLimits {
  /// The largest amount that one purchase, grant or expense may move.
  static let largestAmount: Int64 = 1_000_000_000
  /// The most bytes of an identifier, a balance's name or a reason.
  static let longestText = 1_000
  /// Purchases that one presentation may have.
  static let purchasesAtOnce = 10_000
  /// Transactions that may wait for a database.
  static let waitingJobs = 20_000
  /// How long one may wait.
  static let longestWait = Duration.seconds(15)
  /// Transactions that SQLite writes to the disk at once.
  static let jobsAtOnce = 128
  /// The entries that an account's record shows, the newest first.
  static let shownEntries: Int64 = 200
  /// Purchases that an audit looks at at once.
  static let auditedAtOnce: Int64 = 1_000
  /// Rows that a copy of a ledger reads and writes at once.
  static let copiedAtOnce = 2_000
}
