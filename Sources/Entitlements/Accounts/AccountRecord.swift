/// The details of an account, for support staff.
public struct AccountRecord: Equatable, Sendable {
  public var identifier: String
  /// The `appAccountToken` of the account, in lower case.
  public var appAccountToken: String?
  /// Whether the App Store has signed the token with a purchase. Otherwise a client only claimed it.
  public var isTokenSigned: Bool
  /// The creation time, in milliseconds since 1970.
  public var created: Int64
  public var holdings: [StoreEnvironment: Holdings]
  /// The newest entries of the account in the ledger, newest first.
  public var entries: [LedgerEntry]
}
