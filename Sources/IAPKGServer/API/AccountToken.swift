import Entitlements

/// Whom a token speaks for.
struct AccountToken: Equatable, Sendable {
  /// The account's identifier.
  let account: String
  /// Purchases of which environment it is about.
  let environment: StoreEnvironment
  /// Until when it is valid, in seconds since 1970.
  let expires: Int64
}
