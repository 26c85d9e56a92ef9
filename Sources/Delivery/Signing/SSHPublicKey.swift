import Crypto
import Support

/// An OpenSSH public key of a kind that may sign catalogs: Ed25519 (RFC 8709), also on a security token (PROTOCOL.u2f of
/// OpenSSH).
package struct SSHPublicKey: Hashable, Sendable {
  enum Algorithm: String {
    case ed25519 = "ssh-ed25519"
    case tokenEd25519 = "sk-ssh-ed25519@openssh.com"
  }

  private static let keyBytes = 32

  /// The key in the wire format (RFC 4253, 6.6).
  package let blob: [UInt8]
  let algorithm: Algorithm
  private let key: [UInt8]
  /// The application of a token key, usually `ssh:`; empty for other keys.
  private let application: [UInt8]

  /// Parses the wire format.
  package init(blob: [UInt8]) throws(SignatureError) {
    var reader = SSHReader(blob)
    algorithm = try Self.algorithm(try reader.text())
    key = try reader.string()
    application = algorithm == .tokenEd25519 ? try reader.string() : []
    guard key.count == Self.keyBytes, reader.isAtEnd else {
      throw SignatureError("the public key is damaged")
    }
    self.blob = blob
  }

  private static func algorithm(_ name: String) throws(SignatureError) -> Algorithm {
    guard let algorithm = Algorithm(rawValue: name) else { throw .unsupportedKey(name) }
    return algorithm
  }

  /// Parses the words of a `.pub` file: algorithm, base64, and an ignored comment.
  package init(line: String) throws(SignatureError) {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard let name = words.first, words.count >= 2 else {
      throw SignatureError("there is no public key, expected one as in a file that ends in .pub")
    }
    let algorithm = try Self.algorithm(String(name))
    guard let blob = Base64.standard.decode(words[1].utf8) else {
      throw SignatureError("the public key is not base64")
    }
    try self.init(blob: blob)
    guard self.algorithm == algorithm else { throw SignatureError("the public key is damaged") }
  }

  /// The first bytes of a private key (PROTOCOL.key of OpenSSH).
  private static let privateKeyMagic = Array("openssh-key-v1\0".utf8)

  /// Parses the public part of an OpenSSH private key; this part is never encrypted.
  ///
  /// - Returns: Nil for a text in another format.
  init?(privateKey text: String) throws(SignatureError) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.first == "-----BEGIN OPENSSH PRIVATE KEY-----",
      let bytes = Base64.standard.decode(
        lines.dropFirst().prefix { !$0.hasPrefix("-----") }.flatMap { Array($0.utf8) })
    else { return nil }
    var reader = SSHReader(bytes)
    guard reader.skipPrefix(Self.privateKeyMagic) else { return nil }
    // The cipher, and the function and options that derive its key.
    for _ in 0..<3 { _ = try reader.string() }
    guard try reader.uint32() == 1 else { return nil }
    try self.init(blob: try reader.string())
  }

  /// `SHA256:` and the digest in base64 without padding, as printed by `ssh-keygen -l`.
  package var fingerprint: String {
    "SHA256:" + SHA256Digest(of: blob).base64.prefix { $0 != "=" }
  }

  /// Returns whether the key made a signature of `bytes`. `tokenState` contains the flags and the counter, which a token
  /// also signs.
  func verifies(_ signature: [UInt8], tokenState: [UInt8], of bytes: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
    switch algorithm {
    case .ed25519: return key.isValidSignature(signature, for: bytes)
    case .tokenEd25519:
      let signed = SHA256Digest(of: application).bytes + tokenState + SHA256Digest(of: bytes).bytes
      return key.isValidSignature(signature, for: signed)
    }
  }
}
