import Crypto
import SafeFiles
import Support
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A certificate chain like the App Store's, below a developer's own root, with all its keys.
///
/// As in Apple's chain, the root and the intermediate certificate have P-384 keys, and the signing certificate has a
/// P-256 key.
public struct TestingCertificates: Sendable {
  /// The validity of the certificates before and after their creation, in years.
  private static let years = (before: 5.0, after: 10.0)
  private static let year: Double = 365 * 24 * 3600

  let root: IssuedCertificate
  let intermediate: IssuedCertificate
  let leaf: IssuedCertificate
  let leafKey: P256.Signing.PrivateKey

  /// A certificate and its key.
  struct IssuedCertificate: Sendable {
    let certificate: Certificate
    let key: Certificate.PrivateKey
  }

  /// Creates new keys and certificates. They are valid for fifteen years, beginning five years ago.
  ///
  /// - Throws: The errors of the cryptography library.
  public init() throws {
    try self.init(valid: Date.now - Self.years.before * Self.year...Date.now + Self.years.after * Self.year)
  }

  init(valid: ClosedRange<Date>) throws {
    let names = try ["Testing Root", "Testing Intermediate", "Testing Leaf"].map { name in
      try DistinguishedName {
        CommonName("iapkg-server \(name)")
        OrganizationName("Not Apple Inc.")
      }
    }
    func issue(
      _ name: DistinguishedName, _ key: Certificate.PrivateKey, by issuer: IssuedCertificate?,
      _ extensions: Certificate.Extensions
    ) throws -> IssuedCertificate {
      let certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
        notValidBefore: valid.lowerBound, notValidAfter: valid.upperBound,
        issuer: issuer?.certificate.subject ?? name, subject: name, extensions: extensions,
        issuerPrivateKey: issuer?.key ?? key)
      return IssuedCertificate(certificate: certificate, key: key)
    }
    leafKey = P256.Signing.PrivateKey()
    root = try issue(names[0], Certificate.PrivateKey(P384.Signing.PrivateKey()), by: nil, Self.authority())
    intermediate = try issue(
      names[1], Certificate.PrivateKey(P384.Signing.PrivateKey()), by: root,
      Self.authority(AppStoreMarkerPolicy.intermediateMarker))
    leaf = try issue(
      names[2], Certificate.PrivateKey(leafKey), by: intermediate,
      Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        Self.marker(AppStoreMarkerPolicy.leafMarker)
      })
  }

  /// The root, for `PurchaseVerifier`.
  public var trustedRoot: RootCertificate { RootCertificate(root.certificate) }

  private static func authority(_ marker: ASN1ObjectIdentifier? = nil) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      if let marker { Self.marker(marker) }
    }
  }

  /// Returns an extension whose presence is its meaning. Its value is NULL, as in Apple's certificates.
  static func marker(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
    Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
  }
}
