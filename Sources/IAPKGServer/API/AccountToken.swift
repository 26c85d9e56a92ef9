import Entitlements

/// The verified content of an account's token.
struct AccountToken: Equatable, Sendable {
  /// The account's identifier.
  let account: String
  /// The environment of the purchases.
  let environment: StoreEnvironment
  /// The expiry time, in seconds since 1970.
  let expires: Int64
  /// The keys of the purchases whose content the token permits; nil if it permits everything of the account.
  var purchases: Set<String>?

  /// The name under which requests are limited. A token limited to some purchases does not consume the account's limit.
  var limitName: String { "\(purchases == nil ? "account" : "purchases of") \(account)" }
}
