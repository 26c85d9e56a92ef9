/// The algorithm of all digests in an installation record. The raw value is its name there.
package enum DigestAlgorithm: String, Codable, Sendable, CaseIterable {
  case xxh3 = "xxh3-128"
  /// The first 128 bits of SHA-256.
  case sha256 = "sha256-128"
}
