import Entitlements

/// Whom a token speaks for.
struct AccountToken: Equatable, Sendable {
  /// The account's identifier.
  let account: String
  /// Purchases of which environment it is about.
  let environment: StoreEnvironment
  /// Until when it is valid, in seconds since 1970.
  let expires: Int64
  /// The keys of the purchases whose content it is for; nil where it is for all that the account may.
  var purchases: Set<String>?

  /// Whose requests count together. A token for some purchases uses up nothing of the account's.
  var limitName: String { "\(purchases == nil ? "account" : "purchases of") \(account)" }
}
