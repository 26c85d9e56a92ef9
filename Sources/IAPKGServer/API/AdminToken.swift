import Crypto
import SafeFiles
import Support

/// The secret of the administrators, of which only a digest is kept.
struct AdminToken: Sendable {
  private static let shortest = 16
  private static let longest = 4_096

  private let digest: SHA256.Digest

  init(_ text: String) { digest = SHA256.hash(data: Array(text.utf8)) }

  /// Whether `text` is the token. It takes the same time whatever the difference is, since digests are compared, and
  /// those in constant time (swift-crypto, `Digest`).
  func isEqual(to text: String) -> Bool { SHA256.hash(data: Array(text.utf8)) == digest }

  /// Reads the file's first line.
  ///
  /// - Throws: `CommandFailure` if it is too short to be a secret, or others may read it; `FileError`.
  static func open(_ path: String) throws -> AdminToken {
    let shown = String(displaying: path.utf8)
    let file = try InputFile.open(path)
    guard file.status.permissions & 0o077 == 0 else {
      throw CommandFailure(
        .configuration, "others may read the admin token in \(shown); 'chmod 600 \(shown)' keeps it secret")
    }
    let bytes = try file.bytes(at: 0, count: longest)
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
    guard line.utf8.count >= shortest else {
      throw CommandFailure(
        .configuration,
        "the admin token in \(shown) has \(line.utf8.count) characters, expected at least \(shortest)")
    }
    return AdminToken(String(line))
  }
}
