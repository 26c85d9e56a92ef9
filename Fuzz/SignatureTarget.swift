import Delivery
import PackageForge

/// Reads signatures and files of trusted keys. No signature is valid for a message that was never signed.
enum SignatureTarget {
  static func run(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let signature = try? SSHSignature(armored: text) {
      require(!signature.isValid(for: message), "a forged signature is valid")
      require(signature.key.fingerprint.utf8.count == 50, "a fingerprint has another length")
    }
    guard let keys = try? TrustedKeys(text: input),
      let key = try? SSHPublicKey(line: KnownSignature.publicKey)
    else {
      return
    }
    _ = keys.error(of: key, at: Timestamp(seconds: 1_795_341_600))
  }

  private static let message = Array("an unsigned catalog".utf8)

  // MARK: Seeds

  static let seeds: [[UInt8]] = [
    KnownSignature.armor, KnownSignature.publicKey + " publisher\n",
    "# comment\npublisher@example.com,*@example.com namespaces=\"catalog@*,!file\" \(KnownSignature.publicKey)\n",
    "a valid-after=20260101,valid-before=\"20270101120000Z\" \(KnownSignature.publicKey) b\r\n",
  ].map { Array($0.utf8) }
}
