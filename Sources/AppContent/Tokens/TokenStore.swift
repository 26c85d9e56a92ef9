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

/// The place of the token between two runs of the app. `FileTokenStore` and `KeychainTokenStore` are two.
///
/// The library calls it on threads of its own, several at the same time, so a call may block.
public protocol TokenStore: Sendable {
  /// Returns the stored token; nil if there is none.
  func token() throws -> StoredToken?

  /// Replaces the stored token; nil removes it. The new one is on disk when this returns.
  func store(_ token: StoredToken?) throws
}
