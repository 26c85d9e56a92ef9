import Support

/// The details of an account, for support staff.
public struct AccountRecord: Equatable, Sendable {
  /// The identifier of the account, a UUID in lower case.
  public var identifier: String
  /// The text `sha256:` and the first 8 hexadecimal digits of the SHA-256 digest of the account's `appAccountToken`,
  /// which is a credential; nil without a token.
  public var tokenDigest: String?
  /// Whether the App Store signed the token with a purchase. False without a token, and for a token from earlier versions
  /// that a client only claimed.
  public var isTokenSigned: Bool
  /// The creation time, in milliseconds since 1970.
  public var created: Int64
  /// The current holdings, by the environments of the account's entries.
  public var holdings: [StoreEnvironment: Holdings]
  /// The newest ledger entries of the account, at most 200 for each environment, newest first. The entry of the
  /// account's creation has no reason here, because the stored reason contains the token.
  public var entries: [LedgerEntry]

  /// Returns the digest that messages and records show in place of a token.
  static func digest(of token: String) -> String {
    "sha256:\(SHA256Digest(of: Array(token.utf8)).hexadecimal.prefix(8))"
  }
}
