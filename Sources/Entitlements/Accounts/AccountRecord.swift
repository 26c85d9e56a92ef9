import Support

/// The details of an account, for support staff.
public struct AccountRecord: Equatable, Sendable {
  public var identifier: String
  /// A part of the digest of the account's `appAccountToken`. The token itself is a credential.
  public var tokenDigest: String?
  /// Whether the App Store has signed the token with a purchase. Otherwise a client only claimed it.
  public var isTokenSigned: Bool
  /// The creation time, in milliseconds since 1970.
  public var created: Int64
  public var holdings: [StoreEnvironment: Holdings]
  /// The newest entries of the account in the ledger, newest first, without the reason of its creation, which has the
  /// token.
  public var entries: [LedgerEntry]

  /// Returns the digest that messages and records show in place of a token.
  static func digest(of token: String) -> String {
    "sha256:\(SHA256Digest(of: Array(token.utf8)).hexadecimal.prefix(8))"
  }
}
