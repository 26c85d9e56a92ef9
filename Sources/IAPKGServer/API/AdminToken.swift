import Crypto
import SafeFiles
import Support

/// The administrators' secret, stored only as a digest.
struct AdminToken: Sendable {
  /// The minimum and maximum length, in bytes.
  private static let minimumLength = 16
  private static let maximumLength = 4_096

  private let digest: SHA256.Digest

  init(_ text: String) { digest = SHA256.hash(data: Array(text.utf8)) }

  /// Returns whether `text` is the token. swift-crypto compares digests in constant time.
  func isEqual(to text: String) -> Bool { SHA256.hash(data: Array(text.utf8)) == digest }

  /// Reads the token from the only line of a file.
  ///
  /// - Throws: `CommandFailure` if the token is invalid or other users may read the file, `FileError` or `SourceError`
  ///   if the file cannot be read.
  static func open(_ path: String) throws -> AdminToken {
    let shown = String(displaying: path.utf8)
    let secret = "the admin token"
    let bytes = try InputFile.open(path).secret(secret, atMost: maximumLength)
    let line = try SecretFile.line(bytes, secret, in: path)
    guard line.utf8.count >= minimumLength else {
      throw CommandFailure(
        .configuration,
        "the admin token in \(shown) has \(line.utf8.count) characters, expected at least \(minimumLength)")
    }
    return AdminToken(line)
  }
}
