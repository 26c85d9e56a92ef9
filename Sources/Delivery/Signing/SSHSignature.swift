import Crypto
import Support

/// A signature by `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH).
package struct SSHSignature: Sendable, Equatable {
  /// The namespace of catalog signatures; signatures for other namespaces are rejected.
  package static let namespace = "catalog@iapkg"
  /// The namespace of the signatures of trust documents.
  package static let trustNamespace = "trust@iapkg"
  /// The maximum length of an armored signature in bytes. The signature of an Ed25519 key has about 300.
  static let maximumArmorLength = 4_096

  private static let head = "-----BEGIN SSH SIGNATURE-----"
  private static let tail = "-----END SSH SIGNATURE-----"
  private static let magic = Array("SSHSIG".utf8)
  private static let version: UInt32 = 1
  private static let hash = "sha512"
  private static let signatureBytes = 64
  /// The length of the flags, one byte, and the counter, four bytes, of a security token.
  private static let tokenStateBytes = 5

  /// The key that the signature names as its signer.
  package let key: SSHPublicKey
  private let signature: [UInt8]
  /// The flags and the counter of a security token; empty for other keys.
  private let tokenState: [UInt8]

  /// Parses an armored signature, which must be for `namespace` and use SHA-512 and Ed25519.
  package init(armored text: String, namespace: String = SSHSignature.namespace) throws(SignatureError) {
    var reader = SSHReader(try Self.blob(of: text))
    guard reader.skipPrefix(Self.magic) else { throw SignatureError("it does not begin with SSHSIG") }
    let version = try reader.uint32()
    guard version == Self.version else {
      throw SignatureError("its version is \(version), expected \(Self.version)")
    }
    key = try SSHPublicKey(blob: try reader.string())
    let found = try reader.text()
    guard found == namespace else {
      throw SignatureError("it was made for '\(found)', expected '\(namespace)'")
    }
    _ = try reader.string()  // reserved
    let hash = try reader.text()
    guard hash == Self.hash else { throw SignatureError("its hash is '\(hash)', expected '\(Self.hash)'") }
    var inner = SSHReader(try reader.string())
    guard reader.isAtEnd else { throw SignatureError("it has trailing bytes") }
    let algorithm = try inner.text()
    guard algorithm == key.algorithm.rawValue else { throw .unsupportedKey(algorithm) }
    signature = try inner.string()
    tokenState = key.algorithm == .tokenEd25519 ? try inner.bytes(Self.tokenStateBytes) : []
    guard signature.count == Self.signatureBytes, inner.isAtEnd else {
      throw SignatureError("it is damaged")
    }
  }

  /// Returns whether `key` made the signature of `message`.
  package func isValid(for message: [UInt8], namespace: String = SSHSignature.namespace) -> Bool {
    var signed = SSHWriter(Self.magic)
    signed.string(namespace.utf8)
    signed.string([])  // reserved
    signed.string(Self.hash.utf8)
    signed.string(Array(SHA512.hash(data: message)))
    return key.verifies(signature, tokenState: tokenState, of: signed.bytes)
  }

  /// Decodes the base64 between the two lines of the armor.
  private static func blob(of text: String) throws(SignatureError) -> [UInt8] {
    guard text.utf8.count <= maximumArmorLength else {
      throw SignatureError("it is too long for a signature")
    }
    var lines = text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    guard lines.first == head[...], lines.popLast() == tail[...] else {
      throw SignatureError("it does not begin with '\(head)' and end with '\(tail)'")
    }
    guard let blob = Base64.standard.decode(lines.dropFirst().joined().utf8) else {
      throw SignatureError("it is not base64")
    }
    return blob
  }
}

extension SSHSignature {
  /// Verifies the signatures of a document.
  ///
  /// - Parameters:
  ///   - message: The signed bytes.
  ///   - signatures: Armored signatures.
  ///   - namespace: Their namespace.
  ///   - noun: The noun for the document, for messages.
  /// - Returns: The keys that signed the document, without duplicates.
  /// - Throws: `SignatureError` if a signature is damaged or belongs to another document.
  static func signers(
    of message: [UInt8], _ signatures: [String], for namespace: String, named noun: String
  ) throws(SignatureError) -> [SSHPublicKey] {
    var signers: [SSHPublicKey] = []
    for armor in signatures {
      let signature = try SSHSignature(armored: armor, namespace: namespace)
      guard signature.isValid(for: message, namespace: namespace) else {
        throw SignatureError("it does not belong to this \(noun); the \(noun) may have been changed")
      }
      if !signers.contains(signature.key) { signers.append(signature.key) }
    }
    return signers
  }
}
