/// The account with an identifier, as `Ledger.account(behind:in:)` finds it.
public enum AccountMatch: Equatable, Sendable {
  case account(String)
  /// The identifier is that of a transaction without an account: no account has presented it since its notification, or
  /// the products file lacks its product.
  case unclaimed
  case unknown
}
