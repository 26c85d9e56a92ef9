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
  /// The maximum length of a token. Full tokens have less than 600 bytes; limited tokens also contain the keys of
  /// purchases.
  private static let longest = 8_192
  /// The maximum total size of purchase keys in a token, in bytes. A key of the App Store has 16.
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

  /// Returns a new token and its expiry time.
  func token(
    for account: String, in environment: StoreEnvironment, purchases: [String]? = nil, beginnings: Int64 = 0,
    now: Int64
  ) async throws -> (text: String, expires: Int64) {
    let expires = now + AccountToken.lifetime
    let claims = Claims(
      sub: account, env: environment.rawValue, aud: purchases == nil ? audience : limitedAudience, iat: now,
      exp: expires, pur: purchases.map(Self.fitting), beg: beginnings == 0 ? nil : beginnings)
    return (try await keys.sign(claims, kid: signing), expires)
  }

  /// Returns the content of a token, if its signature is valid, and it has not expired and is not from the future.
  func check(_ text: String, now: Int64) async -> AccountToken? {
    guard text.utf8.count <= Self.longest else { return nil }
    if let token = known[text] { return token.isValid(at: now) ? token : nil }
    guard let claims = try? await keys.verify(text, as: Claims.self),
      claims.aud == (claims.pur == nil ? audience : limitedAudience)
    else { return nil }
    let token = AccountToken(
      account: claims.sub, environment: StoreEnvironment(rawValue: claims.env), issued: claims.iat,
      expires: claims.exp, purchases: claims.pur.map(Set.init), beginnings: claims.beg ?? 0)
    guard token.isValid(at: now) else { return nil }
    known[text] = token
    return token
  }

  /// The audience of limited tokens. Earlier versions of the server, which would treat them as full tokens, reject it.
  private var limitedAudience: String { "\(audience)#purchases" }

  /// Returns the keys that fit into a token.
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
    /// The number of beginnings of the account; absent if it is 0, as from earlier versions of the server.
    let beg: Int64?

    /// Does nothing: `check` verifies the expiry.
    func verify(using algorithm: some JWTAlgorithm) {}
  }
}

/// A cache of verified tokens, so that a signature is verified once rather than for each request.
private final class KnownTokens: Sendable {
  private static let most = 10_000
  private let tokens = Mutex<[SHA256.Digest: AccountToken]>([:])

  subscript(text: String) -> AccountToken? {
    get { tokens.withLock { $0[SHA256.hash(data: Array(text.utf8))] } }
    set {
      tokens.withLock { tokens in
        if tokens.count >= Self.most { tokens.removeAll(keepingCapacity: true) }
        tokens[SHA256.hash(data: Array(text.utf8))] = newValue
      }
    }
  }
}
