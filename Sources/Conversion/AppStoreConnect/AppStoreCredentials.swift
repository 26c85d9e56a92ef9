internal import Crypto
import SafeFiles
import Support

/// The credentials for the App Store Connect API. The key is never converted to text, and tokens are created only for
/// requests.
package struct AppStoreCredentials: Sendable {
  /// The maximum size of a key file in bytes; Apple's have about 250.
  private static let maximumKeySize: Int64 = 16 << 10
  private static let maximumIdentifierLength = 64
  /// The lifetime of a token in seconds; Apple accepts at most 20 minutes.
  static let tokenLifetime: Int64 = 15 * 60

  private let signer: ES256Signer
  /// The identifier of the key.
  package let keyID: String
  private let issuerID: String?
  /// Whether other users may read the key file.
  package let isKeyExposed: Bool

  /// Reads the key from its file.
  ///
  /// - Parameters:
  ///   - keyFile: The private key of App Store Connect, a `.p8` file.
  ///   - keyID: The identifier of the key.
  ///   - issuerID: The identifier of the key's team; nil for an individual key.
  /// - Throws: `AppStoreError.invalidKey`, and `FileError` or `SourceError` if the file cannot be read.
  package init(keyFile: String, keyID: String, issuerID: String?) throws {
    let file = try InputFile.open(keyFile)
    guard file.byteCount <= Self.maximumKeySize,
      let text = String(validating: try file.bytes(at: 0, count: Int(file.byteCount)), as: UTF8.self),
      let start = text.firstIndex(of: "-"),
      let end = text.lastIndex(of: "-"),
      let key = try? P256.Signing.PrivateKey(pemRepresentation: String(text[start...end]))
    else { throw AppStoreError.invalidKey(keyFile) }
    signer = ES256Signer(key)
    self.keyID = keyID
    self.issuerID = issuerID
    isKeyExposed = file.status.permissions & 0o044 != 0
  }

  /// Returns whether a text can be the identifier of a key, a team or an app: 1 to 64 letters, digits, `-` and `_`.
  /// Such a text needs no escaping in a token or an address.
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
    let header = #"{"alg":"\#(ES256Signer.algorithm)","kid":"\#(keyID)","typ":"JWT"}"#
    let payload =
      #"{\#(subject),"iat":\#(time),"exp":\#(time + Self.tokenLifetime),"aud":"appstoreconnect-v1"}"#
    return try signer.sign(Array(payload.utf8), header: Array(header.utf8))
  }
}

/// A reason why requests to App Store Connect are impossible.
package enum AppStoreError: Error, Sendable, Equatable {
  /// The file at this path is not a private key of the API. The path is not safe to print.
  case invalidKey(String)
}
