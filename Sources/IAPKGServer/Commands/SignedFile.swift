import Entitlements
import SafeFiles
import Support

/// Reads files with signed data or certificates.
enum SignedFile {
  /// The path that stands for standard input.
  static let standardInput = "-"

  /// Reads a signed transaction or notification, or the body of an App Store notification.
  ///
  /// - Returns: The JSON Web Signature, without a trailing line break.
  /// - Throws: `FileError` or `SourceError` if the file cannot be read, `VerificationError` if it is too large or is a
  ///   body without a signature.
  static func read(_ path: String) throws -> [UInt8] {
    let limit = NotificationBody.maximumSize
    // A line break has up to two bytes.
    guard var bytes = try contents(of: path, atMost: limit + 2) else {
      throw VerificationError(.malformed, "it has more than \(limit) bytes")
    }
    if bytes.first == UInt8(ascii: "{") { return try NotificationBody.signedPayload(of: bytes) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }

  /// Reads certificates in PEM or DER.
  ///
  /// - Throws: `FileError` or `SourceError` if the file cannot be read, `CommandFailure` if it is too large or has no
  ///   certificate.
  static func roots(_ path: String) throws -> [RootCertificate] {
    let limit = 1 << 20
    let shown = String(displaying: path.utf8)
    guard let bytes = try contents(of: path, atMost: limit) else {
      throw CommandFailure(.configuration, "\(shown) has more than \(limit) bytes, expected certificates")
    }
    do throws(RootCertificateError) {
      return try RootCertificate.read(bytes)
    } catch {
      throw CommandFailure(.configuration, "\(shown): \(error.message)")
    }
  }

  /// Returns the bytes of a file without a byte order mark, or nil if it has more than `limit` bytes.
  private static func contents(of path: String, atMost limit: Int) throws -> [UInt8]? {
    let file =
      path == standardInput
      ? try SpoolFile.ofStandardInput(as: path, limit: Int64(limit)) : try InputFile.open(path)
    guard let file, file.byteCount <= Int64(limit) else { return nil }
    return ByteOrderMark.dropped(from: try file.bytes(at: 0, count: limit))
  }
}
