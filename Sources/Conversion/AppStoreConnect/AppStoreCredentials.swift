internal import Crypto
import SafeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// Who asks the App Store Connect API. The key never becomes text, and nothing but a request gets a token.
package struct AppStoreCredentials: Sendable {
  /// The most bytes of a file with a key; Apple's have about 250.
  private static let maximumKeySize: Int64 = 16 << 10
  private static let maximumIdentifierLength = 64
  /// How long a token holds, in seconds; Apple takes none that holds for more than 20 minutes.
  static let tokenLifetime: Int64 = 15 * 60

  private let key: P256.Signing.PrivateKey
  package let keyID: String
  private let issuerID: String?
  /// Whether others than the owner may read the file of the key.
  package let isKeyExposed: Bool

  /// - Parameters:
  ///   - keyFile: the private key that App Store Connect gave out, a file whose name ends in `.p8`.
  ///   - keyID: the identifier of the key.
  ///   - issuerID: the identifier of the team that the key is of; nil for the key of one user.
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

  /// Whether a text can be the identifier of a key, a team or an app: letters, digits, `-` and `_`. Nothing in it has to
  /// be escaped, in a token or in an address.
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

  /// A token: a JSON Web Token (RFC 7519) with the fields that Apple documents in "Generating Tokens for API Requests".
  ///
  /// - Parameter time: when it is made, in seconds since 1970.
  /// - Returns: the token, a secret.
  /// - Throws: whatever keeps the key from signing.
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

  /// RFC 4648, section 5, without padding.
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

/// The reason why nothing can be asked of App Store Connect.
package enum AppStoreError: Error, Sendable, Equatable {
  /// The file at this path, which is not safe to print, is no private key of the API.
  case noKey(String)
}
