import Crypto
import SafeFiles
import Support

/// The administrators' secret, stored only as a digest.
struct AdminToken: Sendable {
  private static let shortest = 16
  private static let longest = 4_096

  private let digest: SHA256.Digest

  init(_ text: String) { digest = SHA256.hash(data: Array(text.utf8)) }

  /// Returns whether `text` is the token. The comparison takes constant time, because it compares digests
  /// (swift-crypto, `Digest`).
  func isEqual(to text: String) -> Bool { SHA256.hash(data: Array(text.utf8)) == digest }

  /// Reads the token from the only line of a file.
  ///
  /// - Throws: `CommandFailure` if the token is invalid or others may read the file; `FileError`.
  static func open(_ path: String) throws -> AdminToken {
    let shown = String(displaying: path.utf8)
    let file = try InputFile.open(path)
    guard SecretFile.isPrivate(file.status) else {
      throw CommandFailure(
        .configuration, "others may read the admin token in \(shown); 'chmod 600 \(shown)' keeps it secret")
    }
    guard file.byteCount <= longest else {
      throw CommandFailure(
        .configuration, "\(shown) has \(file.byteCount) bytes, expected a token of at most \(longest)")
    }
    let line = try SecretFile.line(try file.bytes(at: 0, count: longest), "the admin token", in: path)
    guard line.utf8.count >= shortest else {
      throw CommandFailure(
        .configuration,
        "the admin token in \(shown) has \(line.utf8.count) characters, expected at least \(shortest)")
    }
    return AdminToken(line)
  }
}
