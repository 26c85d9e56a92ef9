/// What happens when an account presents a purchase that belongs to another one. Each time is entered in the ledger.
///
/// A consumable always stays where it was credited: it counts once.
public enum OtherAccountPolicy: String, CaseIterable, Sendable {
  /// The purchase stays where it is.
  case reject
  /// The purchase belongs to who presented it last.
  case transfer
  /// The purchase entitles both.
  case share
}

/// What proves to be the customer of an account whose `appAccountToken` the App Store signed with a purchase.
public enum AccountProof: String, CaseIterable, Sendable {
  /// Any purchase of the account: a customer who can have one signed with the UUID has the account.
  case token
  /// A purchase that created the account, or was entered with the account's bearer token. Any other gives access to its
  /// own content only.
  case purchase
}

/// Who presents purchases.
public enum Presenter: Equatable, Sendable {
  /// Nobody in particular: the purchases themselves tell the account, by the token that the App Store signed, or since
  /// they belong to one already. Else they get a new account.
  case unknown
  /// An account that has proved who it is (by a bearer token).
  case account(String)
  /// Somebody who says to have this `appAccountToken`, which nothing signs.
  ///
  /// It leads to the account of the signed token only if one of the purchases proves it, by its signature or since it
  /// belongs to that account. Otherwise it leads to an account of its own, so that whoever knows the token of another
  /// customer does not get that customer's account.
  case claiming(token: String)
}
