internal import Crypto
import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// The credentials for the App Store Connect API. The key is never converted to text, and tokens are created only for
/// requests.
package struct AppStoreCredentials: Sendable {
  /// The maximum size of a key file in bytes; Apple's have about 250.
  private static let maximumKeySize: Int64 = 16 << 10
  private static let maximumIdentifierLength = 64
  /// The lifetime of a token in seconds; Apple accepts at most 20 minutes.
  static let tokenLifetime: Int64 = 15 * 60

  private let key: P256.Signing.PrivateKey
  package let keyID: String
  private let issuerID: String?
  /// Whether other users may read the key file.
  package let isKeyExposed: Bool

  /// - Parameters:
  ///   - keyFile: The private key of App Store Connect, a `.p8` file.
  ///   - keyID: The identifier of the key.
  ///   - issuerID: The identifier of the key's team; nil for an individual key.
  /// - Throws: `AppStoreError.noKey`, and `FileError` or `SourceError` if the file cannot be read.
  package init(keyFile: String, keyID: String, issuerID: String?) throws {
    let file = try InputFile.open(keyFile)
    guard file.byteCount <= Self.maximumKeySize,
      let text = String(validating: try file.bytes(at: 0, count: Int(file.byteCount)), as: UTF8.self),
      let start = text.firstIndex(of: "-"),
      let end = text.lastIndex(of: "-"),
      let key = try? P256.Signing.PrivateKey(pemRepresentation: String(text[start...end]))
    else { throw AppStoreError.noKey(keyFile) }
    self.key = key
    self.keyID = keyID
    self.issuerID = issuerID
    isKeyExposed = file.status.permissions & 0o044 != 0
  }

  /// Returns whether a text can be the identifier of a key, a team or an app: letters, digits, `-` and `_`. Such a text
  /// needs no escaping in a token or an address.
  package static func isIdentifier(_ text: String) -> Bool {
    (1...maximumIdentifierLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Returns a JSON Web Token (RFC 7519) with the fields documented in "Generating Tokens for API Requests".
  ///
  /// - Parameter time: The time of creation in seconds since 1970.
  /// - Returns: The token, a secret.
  /// - Throws: The error of signing.
  func token(at time: Int64) throws -> String {
    let subject = issuerID.map { #""iss":"\#($0)""# } ?? #""sub":"user""#
    let parts = [
      #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#,
      #"{\#(subject),"iat":\#(time),"exp":\#(time + Self.tokenLifetime),"aud":"appstoreconnect-v1"}"#,
    ]
    let signed = parts.map { Self.base64URL(Data($0.utf8)) }.joined(separator: ".")
    let signature = try key.signature(for: Data(signed.utf8))
    return "\(signed).\(Self.base64URL(signature.rawRepresentation))"
  }

  /// Encodes as base64url (RFC 4648, section 5), without padding.
  private static func base64URL(_ data: Data) -> String {
    String(
      data.base64EncodedString().compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}

/// A reason why requests to App Store Connect are impossible.
package enum AppStoreError: Error, Sendable, Equatable {
  /// The file at this path, which is not safe to print, is not a private key of the API.
  case noKey(String)
}
