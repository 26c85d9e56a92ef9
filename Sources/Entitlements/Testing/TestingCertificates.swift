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

/// A chain of certificates like the App Store's, below a root of a developer's own, with all its keys.
///
/// As Apple's, the root and the intermediate certificate have keys of P-384, and the signing one has one of P-256.
public struct TestingCertificates: Sendable {
  /// How long before and after the moment of making the certificates are valid.
  private static let years = (before: 5.0, after: 10.0)
  private static let year: Double = 365 * 24 * 3600

  let root: Issued
  let intermediate: Issued
  let leaf: Issued
  let leafKey: P256.Signing.PrivateKey

  /// A certificate and its key.
  struct Issued: Sendable {
    let certificate: Certificate
    let key: Certificate.PrivateKey
  }

  /// Makes new keys and certificates, which are valid from five years ago on for fifteen.
  ///
  /// - Throws: what the system's cryptography throws.
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
      _ name: DistinguishedName, _ key: Certificate.PrivateKey, by issuer: Issued?,
      _ extensions: Certificate.Extensions
    ) throws -> Issued {
      let certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
        notValidBefore: valid.lowerBound, notValidAfter: valid.upperBound,
        issuer: issuer?.certificate.subject ?? name, subject: name, extensions: extensions,
        issuerPrivateKey: issuer?.key ?? key)
      return Issued(certificate: certificate, key: key)
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

  /// The root, as `PurchaseVerifier` takes it.
  public var trustedRoot: RootCertificate { RootCertificate(root.certificate) }

  private static func authority(_ marker: ASN1ObjectIdentifier? = nil) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      if let marker { Self.marker(marker) }
    }
  }

  /// An extension that says something by being there. Its value is NULL, as in Apple's.
  static func marker(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
    Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
  }
}
