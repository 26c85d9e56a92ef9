import Crypto
import HummingbirdTLS
import SafeFiles
import Support
import SwiftASN1
import SystemPackage
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A certificate for exactly one name, below a root that is stored in a folder, so that a user trusts the root on a
/// device only once.
///
/// The root may issue certificates for this name only. Its certificate and its key are in `NAME.pem`, readable by the
/// owner only, and its certificate alone is in `NAME.crt`, for devices. The key of the served certificate is never
/// written.
struct TLSIdentity: Sendable {
  /// The configuration of a server with the certificate.
  let configuration: TLSConfiguration
  /// The file with the certificate of the root, for devices.
  let rootPath: String
  /// The SHA-256 digest of the root's certificate, in pairs of hexadecimal digits.
  let fingerprint: String

  /// The validity in days. Apple's systems accept at most 825 days (Apple, "Requirements for trusted certificates in
  /// iOS 13 and macOS 10.15").
  private static let days = (root: 820.0, leaf: 90.0)
  private static let day: Double = 24 * 3600
  /// The maximum time by which the clock of a device may be behind, in seconds.
  private static let tolerance: Double = 3600

  /// Opens or creates the root for a name in a folder, and issues a certificate.
  ///
  /// - Throws: `CommandFailure` for a root that is expired, damaged or readable by other users; `FileError`,
  ///   `SourceError`; the errors of the cryptography library.
  init(for name: HostName, in folder: String) throws {
    let root = try TLSRoot.open(for: name, in: folder, valid: Self.days.root * Self.day, Self.tolerance)
    let key = P256.Signing.PrivateKey()
    let now = Date.now
    let leaf = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PrivateKey(key).publicKey, notValidBefore: now - Self.tolerance,
      notValidAfter: min(now + Self.days.leaf * Self.day, root.certificate.notValidAfter),
      issuer: root.certificate.subject, subject: try DistinguishedName { CommonName(name.text) },
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([.dnsName(name.text)])
      }, issuerPrivateKey: Certificate.PrivateKey(root.key))
    let bytes = try TLSRoot.bytes(of: leaf)
    configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(try NIOSSLCertificate(bytes: bytes, format: .der))],
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
    rootPath = root.path
    let digest = SHA256.hash(data: try TLSRoot.bytes(of: root.certificate))
    fingerprint = digest.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}

/// The host name of a certificate.
struct HostName: Equatable, Sendable {
  /// The name in lower case.
  let text: String

  /// Returns nil unless the text is a host name of letters, digits, hyphens and dots. An IP address is not a host name.
  init?(_ text: String) {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 253, labels.allSatisfy(Self.isLabel),
      labels.last?.allSatisfy(\.isNumber) == false
    else { return nil }
    self.text = text.lowercased()
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
      && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}
