import Entitlements
import SafeFiles
import Support

/// Reads the files of options and arguments.
enum SignedFile {
  /// The path of standard input.
  static let standardInput = "-"

  /// Reads a signed transaction or notification, or the body of an App Store notification.
  ///
  /// - Returns: The JSON Web Signature, without a trailing line break.
  /// - Throws: `FileError` or `SourceError` if the file cannot be read, and `VerificationError` for a body without a
  ///   signature.
  static func read(_ path: String) throws -> [UInt8] {
    var bytes = try contents(of: path, atMost: NotificationBody.largest + 1)
    if bytes.first == UInt8(ascii: "{") { return try NotificationBody.signedPayload(of: bytes) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }

  /// Reads certificates in PEM or DER.
  ///
  /// - Throws: `FileError` or `SourceError` if the file cannot be read, `CommandFailure` if it has no certificate.
  static func roots(_ path: String) throws -> [RootCertificate] {
    let bytes = try contents(of: path, atMost: 1 << 20)
    do throws(RootCertificateError) {
      return try RootCertificate.read(bytes)
    } catch {
      throw CommandFailure(.configuration, "\(String(displaying: path.utf8)): \(error.message)")
    }
  }

  private static func contents(of path: String, atMost limit: Int) throws -> [UInt8] {
    guard path == standardInput else {
      return ByteOrderMark.dropped(from: try InputFile.open(path).bytes(at: 0, count: limit))
    }
    guard let file = try SpoolFile.ofStandardInput(as: path, limit: Int64(limit)) else {
      throw CommandFailure(.invalid, "standard input has more than \(limit) bytes, expected fewer")
    }
    return ByteOrderMark.dropped(from: try file.bytes(at: 0, count: limit))
  }
}
