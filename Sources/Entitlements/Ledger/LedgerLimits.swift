/// The limits of the ledger.
package enum LedgerLimits {
  /// The maximum amount of one purchase, grant or spend request.
  package static let maximumAmount: Int64 = 1_000_000_000
  /// The maximum length of an identifier, a balance name or a reason, in bytes.
  package static let maximumTextLength = 1_000
  /// The maximum number of purchases in one presentation.
  static let maximumPurchaseCount = 10_000
  /// The maximum number of transactions that wait for a database.
  static let maximumWaitingJobCount = 20_000
  /// The maximum number of transactions in one SQLite commit.
  static let maximumJobCount = 128
  /// The maximum number of newest entries that an account's details include for each environment.
  static let maximumShownEntryCount: Int64 = 200
  /// The number of purchases that an audit reads at a time.
  static let auditBatchSize: Int64 = 1_000
  /// The maximum size of an SQLite file that a starting server checks for damage, in bytes. The check takes seconds.
  static let maximumCheckedFileSize: Int64 = 512 << 20
  /// The number of rows that a ledger copy transfers at a time.
  static let copyBatchSize = 2_000
}
