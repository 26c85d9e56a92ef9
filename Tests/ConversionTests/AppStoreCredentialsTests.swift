import Crypto
import Foundation
import TestSupport
import Testing

@testable import Conversion

@Suite struct AppStoreCredentialsTests {
  private let key = P256.Signing.PrivateKey()

  /// Passes the path of a temporary key file to `body`.
  private func with<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write(text, to: "key.p8")
    return try body(folder.place("key.p8"))
  }

  private func credentials(_ text: String, issuer: String? = "issuer-1") throws -> AppStoreCredentials {
    try with(text) { try AppStoreCredentials(keyFile: $0, keyID: "KEY1", issuerID: issuer) }
  }

  private func decoded(_ part: Substring) throws -> Data {
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    return try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
  }

  private func fields(_ part: Substring) throws -> [String: String] {
    let object = try JSONSerialization.jsonObject(with: decoded(part)) as? [String: Any]
    return try #require(object).mapValues { "\($0)" }
  }

  @Test(arguments: ["", "\n", "\r\n\r\n"])
  func `a token has the documented fields and the signature of the key`(_ end: String) throws {
    let token = try credentials(key.pemRepresentation + end).token(at: 1_700_000_000)
    let parts = token.split(separator: ".")
    #expect(try fields(parts[0]) == ["alg": "ES256", "kid": "KEY1", "typ": "JWT"])
    #expect(
      try fields(parts[1]) == [
        "iss": "issuer-1", "iat": "1700000000", "exp": "1700000900", "aud": "appstoreconnect-v1",
      ])
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: decoded(parts[2]))
    #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test func `the key of one user has a subject in place of an issuer`() throws {
    let token = try credentials(key.pemRepresentation, issuer: nil).token(at: 0)
    let payload = try fields(token.split(separator: ".")[1])
    #expect(payload == ["sub": "user", "iat": "0", "exp": "900", "aud": "appstoreconnect-v1"])
  }

  @Test func `a file without a private P-256 key is refused`() throws {
    let others = [
      "", "-", "no key", key.publicKey.pemRepresentation, P384.Signing.PrivateKey().pemRepresentation,
      String(key.pemRepresentation.dropLast(60)), String(repeating: "-", count: 100_000),
    ]
    for text in others {
      try with(text) { path in
        _ = #expect(throws: AppStoreError.invalidKey(path)) {
          try AppStoreCredentials(keyFile: path, keyID: "K", issuerID: nil)
        }
      }
    }
  }

  @Test(arguments: ["", "a b", "a/b", "..", "ä", "a\"b", String(repeating: "a", count: 65)])
  func `an identifier that requires escaping is refused`(_ text: String) {
    #expect(!AppStoreCredentials.isIdentifier(text))
  }
}
