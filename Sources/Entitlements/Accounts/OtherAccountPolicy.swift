/// The policy for a purchase that a second account presents. The ledger records each such presentation.
///
/// A consumable always stays with its first account: it counts once.
public enum OtherAccountPolicy: String, CaseIterable, Sendable {
  /// The purchase stays with its account.
  case reject
  /// The purchase moves to the account that presented it last.
  case transfer
  /// The purchase entitles both accounts.
  case share
}

/// The proof that gives a presenter full access to an account.
public enum AccountProof: String, CaseIterable, Sendable {
  /// Any purchase of the account: a customer who can have a purchase signed with the UUID owns the account.
  case token
  /// A purchase that was the first of the account in its environment, or was entered with the account's bearer token for
  /// that environment. Any other purchase gives access to its own content only.
  case purchase
}

/// The party that presents purchases.
public enum Presenter: Equatable, Sendable {
  /// No known account. The signed token or the current owner of the purchases determines the account; otherwise they
  /// get a new account.
  case unknown
  /// An account that a bearer token has proven in one environment. In others the presenter is unknown.
  case account(String, in: StoreEnvironment)
  /// A client that claims this `appAccountToken`, which no signature covers.
  ///
  /// The token selects the account of the signed token only if a purchase proves it: by its signature, or by belonging
  /// to that account. Otherwise it has no effect. Knowing another customer's token therefore gives no access to that
  /// customer's purchases.
  case claiming(token: String)

  /// Returns the presenter in an environment: unknown for an account that is proven only in another environment.
  func limited(to environment: StoreEnvironment) -> Presenter {
    if case .account(_, let proven) = self, proven != environment { .unknown } else { self }
  }
}
