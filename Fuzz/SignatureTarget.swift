import Delivery

/// Reads signatures and files of trusted keys. No signature is valid for a message that nobody signed.
enum SignatureTarget {
  static func run(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let signature = try? SSHSignature(armoured: text) {
      require(!signature.isValid(for: message), "a signature is valid that nobody made")
      require(signature.key.fingerprint.utf8.count == 50, "a fingerprint has another length")
    }
    guard let keys = try? TrustedKeys(text: input), let key = try? SSHPublicKey(line: publicKey) else {
      return
    }
    _ = keys.refusal(of: key, at: Timestamp(seconds: 1_795_341_600))
  }

  private static let message = Array("a catalog that nobody signed".utf8)

  // MARK: Seeds

  /// Made once by ssh-keygen -Y sign -n catalog@iapkg of "a catalog\n".
  static let armour = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgYZ+4wHS7waJ6DH4AyZKy6zYY/+
    MVZIWYgynCo6UVFA0AAAANY2F0YWxvZ0BpYXBrZwAAAAAAAAAGc2hhNTEyAAAAUwAAAAtz
    c2gtZWQyNTUxOQAAAEBg7eIwQzA2AhqshUUmoXhdd8tCTuZ68pFxd/4e/D8+9ZCkGf724a
    43p0xWK8rx65vvZ7n14Jovgd/PDrLQfDkO
    -----END SSH SIGNATURE-----
    """

  /// The key that made it.
  private static let publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGGfuMB0u8Giegx+AMmSsus2GP/jFWSFmIMpwqOlFRQN"

  static let seeds: [[UInt8]] = [
    armour, publicKey + " somebody\n",
    "# comment\nsomebody@example.com,*@example.com namespaces=\"catalog@*,!file\" \(publicKey)\n",
    "a valid-after=20260101,valid-before=\"20270101120000Z\" \(publicKey) b\r\n",
  ].map { Array($0.utf8) }
}
