package import Crypto

/// A signer of JSON Web Signatures with ES256 (RFC 7518, section 3.4). The key is never converted to text.
package struct ES256Signer: Sendable {
  /// The name of the algorithm in a header.
  package static let algorithm = "ES256"

  private let key: P256.Signing.PrivateKey

  package init(_ key: P256.Signing.PrivateKey) { self.key = key }

  /// Signs a payload.
  ///
  /// - Parameters:
  ///   - payload: The bytes to sign.
  ///   - header: The JSON of the header, which names the algorithm.
  /// - Returns: The compact form (RFC 7515, section 7.1).
  /// - Throws: The error of signing.
  package func sign(_ payload: [UInt8], header: [UInt8]) throws -> String {
    let signed = "\(Base64.url.encode(header)).\(Base64.url.encode(payload))"
    let signature = try key.signature(for: Array(signed.utf8))
    return "\(signed).\(Base64.url.encode(signature.rawRepresentation))"
  }
}
