public import Foundation

/// A bearer token of the customer's account.
public struct StoredToken: Codable, Sendable, Equatable {
  /// The token, a secret.
  public let value: String
  /// The time after which the server refuses the token; nil if it is unknown.
  public let expires: Date?

  /// Creates a token.
  public init(value: String, expires: Date?) {
    self.value = value
    self.expires = expires
  }
}

/// A store of the token between two runs of the app, such as `FileTokenStore` or `KeychainTokenStore`.
///
/// The library calls the functions on its own threads, several at the same time. A call may block.
public protocol TokenStore: Sendable {
  /// Returns the stored token; nil if there is none.
  func token() throws -> StoredToken?

  /// Replaces the stored token; nil removes it. When the function returns, the change is on disk.
  func store(_ token: StoredToken?) throws
}
