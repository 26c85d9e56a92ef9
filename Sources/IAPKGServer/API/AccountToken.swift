import Entitlements

/// The verified content of an account's token.
struct AccountToken: Equatable, Sendable {
  /// The account's identifier.
  let account: String
  /// The environment of the purchases.
  let environment: StoreEnvironment
  /// The time of issue, in seconds since 1970.
  let issued: Int64
  /// The expiry time, in seconds since 1970.
  let expires: Int64
  /// The keys of the purchases whose content the token permits; nil if it permits everything of the account.
  var purchases: Set<String>?

  /// The validity of a token, in seconds.
  static let lifetime: Int64 = 24 * 3_600
  /// The maximum difference between the clocks of servers that share token keys, in seconds.
  private static let clockTolerance: Int64 = 300

  /// Returns whether the token is valid at a time. A token that was issued in the future is invalid: the clock of its
  /// server was wrong, and the token would remain valid for too long.
  func isValid(at time: Int64) -> Bool {
    issued <= time + Self.clockTolerance && expires > time
      && expires <= time + Self.lifetime + Self.clockTolerance
  }

  /// The name for the rate limit. A token for some purchases does not consume the limit of the account.
  var limitName: String { "\(purchases == nil ? "account" : "purchases of") \(account)" }
}
