/// What is known of an account, for support staff.
public struct AccountRecord: Equatable, Sendable {
  public var identifier: String
  /// The `appAccountToken` that leads to it, in lower case.
  public var appAccountToken: String?
  /// Whether the App Store has signed that token with a purchase. Otherwise somebody only said to have it.
  public var isTokenSigned: Bool
  /// When it was made, in milliseconds since 1970.
  public var created: Int64
  public var holdings: [StoreEnvironment: Holdings]
  /// Its newest entries in the ledger, the newest first.
  public var entries: [LedgerEntry]
}
