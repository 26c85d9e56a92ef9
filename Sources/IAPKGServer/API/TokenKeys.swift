import Crypto
import Entitlements
import JWTKit
import SafeFiles
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// Signs and verifies the tokens of accounts (JWT, RFC 7519). The first key signs; older keys are still accepted, so
/// that keys can be rotated without interruption.
struct TokenKeys: Sendable {
  /// The maximum length of a token, in bytes. Full tokens have fewer than 600; limited tokens also contain the keys of
  /// purchases.
  private static let maximumLength = 8_192
  /// The maximum total size of purchase keys in a token, in bytes. A key from the App Store has about 16.
  private static let maximumKeyBytes = 4_000

  private let keys: JWTKeyCollection
  private let signing: JWKIdentifier
  /// The audience claim, which identifies the app.
  private let audience: String
  private let known = KnownTokens()

  init(_ file: TokenKeyFile, audience: String) async throws {
    let keys = JWTKeyCollection()
    for key in file.keys {
      let name = JWKIdentifier(string: key.name)
      switch key.material {
      case .hmac(let secret): await keys.add(hmac: HMACKey(key: secret), digestAlgorithm: .sha256, kid: name)
      case .ed25519(let secret): await keys.add(eddsa: EdDSA.PrivateKey(backing: secret), kid: name)
      }
    }
    self.keys = keys
    self.audience = audience
    signing = JWKIdentifier(string: file.keys[0].name)
  }

  /// Returns a new token and its expiry time, in seconds since 1970 like `now`. With `purchases`, the token is limited
  /// to the first of these keys that fit into a token.
  func token(
    for account: String, in environment: StoreEnvironment, purchases: [String]? = nil, now: Int64
  ) async throws -> (text: String, expires: Int64) {
    let expires = now + AccountToken.lifetime
    let claims = Claims(
      sub: account, env: environment.rawValue, aud: purchases == nil ? audience : limitedAudience, iat: now,
      exp: expires, pur: purchases.map(Self.fitting))
    return (try await keys.sign(claims, kid: signing), expires)
  }

  /// Returns the content of a token; nil if its signature, its audience or its time is invalid.
  func check(_ text: String, now: Int64) async -> AccountToken? {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    if let token = known[text] { return token.isValid(at: now) ? token : nil }
    guard let claims = try? await keys.verify(text, as: Claims.self),
      claims.aud == (claims.pur == nil ? audience : limitedAudience)
    else { return nil }
    let token = AccountToken(
      account: claims.sub, environment: StoreEnvironment(rawValue: claims.env), issued: claims.iat,
      expires: claims.exp, purchases: claims.pur.map(Set.init))
    guard token.isValid(at: now) else { return nil }
    known[text] = token
    return token
  }

  /// The audience of limited tokens. Earlier versions of the server, which would treat them as full tokens, reject it.
  private var limitedAudience: String { "\(audience)#purchases" }

  /// Returns as many of the keys, from the first, as fit into a token.
  private static func fitting(_ keys: [String]) -> [String] {
    var bytes = 0
    return Array(
      keys.prefix { key in
        bytes += key.utf8.count + 3
        return bytes <= maximumKeyBytes
      })
  }

  private struct Claims: JWTPayload {
    let sub: String
    let env: String
    let aud: String
    let iat: Int64
    let exp: Int64
    /// The keys of purchases; absent from a full token.
    let pur: [String]?

    /// Does nothing: `check` verifies the expiry.
    func verify(using algorithm: some JWTAlgorithm) {}
  }
}

/// A cache of verified tokens, so that a signature is verified once rather than for each request.
private final class KnownTokens: Sendable {
  private static let maximumCount = 10_000
  private let tokens = Mutex<[SHA256.Digest: AccountToken]>([:])

  subscript(text: String) -> AccountToken? {
    get { tokens.withLock { $0[SHA256.hash(data: Array(text.utf8))] } }
    set {
      tokens.withLock { tokens in
        if tokens.count >= Self.maximumCount { tokens.removeAll(keepingCapacity: true) }
        tokens[SHA256.hash(data: Array(text.utf8))] = newValue
      }
    }
  }
}
