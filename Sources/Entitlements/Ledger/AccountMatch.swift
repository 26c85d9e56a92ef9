/// The result of a search for an account by an identifier (`Ledger.account(matching:in:)`).
public enum AccountMatch: Equatable, Sendable {
  /// The account with this identifier.
  case account(String)
  /// The identifier is that of a transaction without an account: the transaction arrived by notification and no account
  /// has presented it, or the products file lacks its product.
  case unclaimed
  /// No account and no purchase has the identifier.
  case unknown
}
