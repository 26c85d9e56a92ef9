package import Support

extension SHA256Digest {
  /// The prefix of digests, and of the fingerprints of keys.
  private static let prefix = "sha256:"
  /// The minimum number of hexadecimal digits of a text that counts as a digest and not as a file name.
  private static let minimumDigitCount = 40

  /// Parses a digest that a user names: 64 hexadecimal digits in either case, optionally after `SHA256:`.
  ///
  /// - Returns: The digest; nil for another text, such as the path of a file.
  /// - Throws: `SignatureError` for the fingerprint of a key, and for a digest with too few or too many digits.
  package init?(named text: String) throws(SignatureError) {
    let isPrefixed = text.lowercased().hasPrefix(Self.prefix)
    let digits = isPrefixed ? text.dropFirst(Self.prefix.count) : text[...]
    if let digest = SHA256Digest(hexadecimal: digits.lowercased()) {
      self = digest
      return
    }
    let isHexadecimal = digits.allSatisfy(\.isHexDigit)
    guard isPrefixed || isHexadecimal && digits.count >= Self.minimumDigitCount else { return nil }
    guard isHexadecimal else {
      throw SignatureError(
        "\(text) is the fingerprint of a key, expected a file with the key, or a digest of 64 digits")
    }
    throw SignatureError(
      "\(text) has \(digits.count) digits, expected the 64 of a SHA-256 digest, or the path of a file")
  }
}
