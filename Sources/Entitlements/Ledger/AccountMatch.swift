/// The account with an identifier, as `Ledger.account(behind:in:)` finds it.
public enum AccountMatch: Equatable, Sendable {
  case account(String)
  /// The identifier is that of a transaction that no account has presented, known from a notification.
  case unclaimed
  case unknown
}
