import Entitlements
import SafeFiles
import Support

/// A file that an option or argument names, read whole.
enum SignedFile {
  /// The path that means standard input.
  static let standardInput = "-"

  /// Reads a signed transaction or notification, or the body in which the App Store posts one.
  ///
  /// - Returns: the JSON Web Signature, without the line break that ends a line of text.
  /// - Throws: `FileError` or `SourceError` if it cannot be read, and `VerificationError` for a body without one.
  static func read(_ path: String) throws -> [UInt8] {
    var bytes = try contents(of: path, atMost: NotificationBody.largest + 1)
    if bytes.first == UInt8(ascii: "{") { return try NotificationBody.signedPayload(of: bytes) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }

  /// Reads certificates in PEM or DER.
  ///
  /// - Throws: `FileError` or `SourceError` if it cannot be read, `CommandFailure` if it has none.
  static func roots(_ path: String) throws -> [RootCertificate] {
    let bytes = try contents(of: path, atMost: 1 << 20)
    do throws(RootCertificateError) {
      return try RootCertificate.read(bytes)
    } catch {
      throw CommandFailure(.configuration, "\(String(displaying: path.utf8)): \(error.message)")
    }
  }

  private static func contents(of path: String, atMost limit: Int) throws -> [UInt8] {
    guard path == standardInput else { return try InputFile.open(path).bytes(at: 0, count: limit) }
    guard let file = try SpoolFile.ofStandardInput(as: path, limit: Int64(limit)) else {
      throw CommandFailure(.invalid, "standard input has more than \(limit) bytes, expected fewer")
    }
    return try file.bytes(at: 0, count: limit)
  }
}
