import Crypto
import Foundation

@testable import Delivery

/// Creates signatures like ssh-keygen, and invalid ones.
struct TestSigner {
  let key = Curve25519.Signing.PrivateKey()
  var algorithm = "ssh-ed25519"
  var magic = "SSHSIG"
  var version: UInt8 = 1
  var namespace = SSHSignature.namespace
  var hash = "sha512"
  var trailing: [UInt8] = []
  /// The flags and the counter of a security token; unused for other algorithms.
  var tokenState: [UInt8] = [1, 0, 0, 0, 7]

  private var isToken: Bool { algorithm.hasPrefix("sk-ssh-ed25519") }

  var blob: [UInt8] {
    var writer = SSHWriter([])
    writer.string(algorithm.utf8)
    writer.string(Array(key.publicKey.rawRepresentation))
    if isToken { writer.string("ssh:".utf8) }
    return writer.bytes
  }

  /// The line of a `.pub` file.
  var line: String { "\(algorithm) \(Data(blob).base64EncodedString()) test" }

  func publicKey() throws -> SSHPublicKey { try SSHPublicKey(blob: blob) }

  func sign(_ message: [UInt8]) throws -> String {
    var signed = SSHWriter(Array("SSHSIG".utf8))
    signed.string(namespace.utf8)
    signed.string([])
    signed.string(hash.utf8)
    signed.string(Array(SHA512.hash(data: message)))
    var inner = SSHWriter([])
    inner.string(algorithm.utf8)
    // PROTOCOL.u2f of OpenSSH, SSH U2F Signatures.
    let message =
      isToken
      ? Array(SHA256.hash(data: Array("ssh:".utf8))) + tokenState + Array(SHA256.hash(data: signed.bytes))
      : signed.bytes
    inner.string(Array(try key.signature(for: message)))
    var writer = SSHWriter(Array(magic.utf8) + [0, 0, 0, version])
    writer.string(blob)
    writer.string(namespace.utf8)
    writer.string([])
    writer.string(hash.utf8)
    writer.string(inner.bytes + (isToken ? tokenState : []))
    let base64 = Data(writer.bytes + trailing).base64EncodedString()
    return "-----BEGIN SSH SIGNATURE-----\n\(base64)\n-----END SSH SIGNATURE-----\n"
  }
}
