import Crypto
import Foundation
import Support
import SwiftASN1
import X509

@testable import Entitlements

/// Creates valid certificate chains and signed data, except for the changes of a test.
struct ChainForge {
  /// A time at which all certificates are valid: 2026-01-01, in milliseconds since 1970.
  static let signedDate: Int64 = 1_767_225_600_000
  static let signedTime = Date(timeIntervalSince1970: Double(signedDate) / 1000)
  static let bundle = "com.example.app"

  enum Curve { case p256, p384, p521 }

  var leafMarkers: [ASN1ObjectIdentifier] = [AppStoreMarkerPolicy.leafMarker]
  var intermediateMarkers: [ASN1ObjectIdentifier] = [AppStoreMarkerPolicy.intermediateMarker]
  var intermediateConstraints: BasicConstraints? = .isCertificateAuthority(maxPathLength: 0)
  var intermediateVersion = Certificate.Version.v3
  var leafCurve = Curve.p256
  /// The validity in days relative to `signedDate`.
  var leafDays = -100...100
  var intermediateDays = -1000...1000
  var rootDays = -2000...2000
  /// Whether the leaf has an unknown critical extension.
  var hasUnknownCriticalExtension = false
  /// Whether the leaf is signed with a key other than the intermediate certificate's.
  var leafIsSignedByOther = false
  /// Whether the certificates name an OCSP server.
  var hasOCSP = false
  var alg = "ES256"
  var headerExtras = ""

  /// A created chain, with the key that signs.
  struct Chain {
    let root: Certificate
    let certificates: [Certificate]
    let leafKey: Certificate.PrivateKey
    /// The issuer's key of each certificate except the root.
    var authorityKeys: [Certificate.PrivateKey] = []
    var alg: String
    var headerExtras: String

    var texts: [String] {
      get throws {
        try certificates.map { Data(try $0.serializeAsPEM().derBytes).base64EncodedString() }
      }
    }

    /// Signs a payload with these or other certificates in the header.
    func sign(_ payload: String, x5c: String? = nil, alg: String? = nil) throws -> String {
      let chain = try x5c ?? "[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]"
      let header = "{\"alg\":\"\(alg ?? self.alg)\",\"x5c\":\(chain)\(headerExtras)}"
      let input = "\(Self.encode(header)).\(Self.encode(payload))"
      return "\(input).\(Base64.url.encode(try signature(of: input)))"
    }

    static func encode(_ text: String) -> String { Base64.url.encode(Array(text.utf8)) }

    private func signature(of input: String) throws -> [UInt8] {
      let pem = try leafKey.serializeAsPEM().pemString
      if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
        return Array(try key.signature(for: Data(input.utf8)).rawRepresentation)
      }
      if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) {
        return Array(try key.signature(for: Data(input.utf8)).rawRepresentation)
      }
      return Array(
        try P521.Signing.PrivateKey(pemRepresentation: pem).signature(for: Data(input.utf8)).rawRepresentation
      )
    }
  }

  func chain() throws -> Chain {
    let rootKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
    let root = try certificate(
      "Root", rootKey, from: nil, rootDays,
      Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) })
    return try chain(below: root, rootKey)
  }

  func chain(below root: Certificate, _ rootKey: Certificate.PrivateKey) throws -> Chain {
    let intermediateKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
    let leafKey =
      switch leafCurve {
      case .p256: Certificate.PrivateKey(P256.Signing.PrivateKey())
      case .p384: Certificate.PrivateKey(P384.Signing.PrivateKey())
      case .p521: Certificate.PrivateKey(P521.Signing.PrivateKey())
      }
    let intermediate = try certificate(
      "Intermediate", intermediateKey, from: (root, rootKey), intermediateDays,
      version: intermediateVersion,
      Certificate.Extensions {
        if let intermediateConstraints { Critical(intermediateConstraints) }
        for marker in intermediateMarkers { TestingCertificates.marker(marker) }
        if hasOCSP { Self.responder("intermediate") }
      })
    let leaf = try certificate(
      "Leaf", leafKey,
      from: (intermediate, leafIsSignedByOther ? .init(P384.Signing.PrivateKey()) : intermediateKey),
      leafDays,
      Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        for marker in leafMarkers { TestingCertificates.marker(marker) }
        if hasOCSP { Self.responder("leaf") }
        if hasUnknownCriticalExtension {
          Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])
        }
      })
    return Chain(
      root: root, certificates: [leaf, intermediate, root], leafKey: leafKey,
      authorityKeys: [intermediateKey, rootKey], alg: alg,
      headerExtras: headerExtras)
  }

  private static func responder(_ name: String) -> AuthorityInformationAccess {
    AuthorityInformationAccess([
      .init(method: .ocspServer, location: .uniformResourceIdentifier("http://ocsp.example.com/\(name)"))
    ])
  }

  func certificate(
    _ name: String, _ key: Certificate.PrivateKey,
    from issuer: (certificate: Certificate, key: Certificate.PrivateKey)?, _ days: ClosedRange<Int>,
    version: Certificate.Version = .v3, _ extensions: Certificate.Extensions
  ) throws -> Certificate {
    let subject = try DistinguishedName { CommonName("Forged \(name)") }
    return try Certificate(
      version: version, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
      notValidBefore: Self.signedTime + Double(days.lowerBound) * 86_400,
      notValidAfter: Self.signedTime + Double(days.upperBound) * 86_400,
      issuer: issuer?.certificate.subject ?? subject, subject: subject, extensions: extensions,
      issuerPrivateKey: issuer?.key ?? key)
  }

  /// Returns a transaction's payload. `changes` replace its fields; `nil` removes a field.
  static func transaction(_ changes: [String: String?] = [:]) -> String {
    object(
      [
        "transactionId": "\"2000000000000001\"", "originalTransactionId": "\"2000000000000001\"",
        "bundleId": "\"\(bundle)\"", "productId": "\"com.example.coins\"", "type": "\"Consumable\"",
        "purchaseDate": "\(signedDate)", "signedDate": "\(signedDate)", "quantity": "3",
        "environment": "\"Production\"", "inAppOwnershipType": "\"PURCHASED\"", "tomorrow": "[{}]",
      ], changes)
  }

  static func notification(
    _ changes: [String: String?] = [:], data: [String: String?] = [:], transaction: String? = nil
  ) -> String {
    var fields = ["appAppleId": "1234", "bundleId": "\"\(bundle)\"", "environment": "\"Production\""]
    fields["signedTransactionInfo"] = transaction.map { "\"\($0)\"" }
    return object(
      [
        "notificationType": "\"REFUND\"", "notificationUUID": "\"9AD56BD2-0BC6-42E0-AF24-FD996D87A1E6\"",
        "version": "\"2.0\"", "signedDate": "\(signedDate)", "data": object(fields, data),
      ], changes)
  }

  private static func object(_ fields: [String: String], _ changes: [String: String?]) -> String {
    let merged = fields.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { field in changes[field.key].map { $0 != nil } ?? true }
    return "{\(merged.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }
}

extension PurchaseVerifier {
  /// Creates a verifier that trusts the root of a chain.
  init(
    trusting chain: ChainForge.Chain, environments: Set<StoreEnvironment> = [.production],
    appIdentifier: Int64? = 1234, testingRoots: [Certificate] = []
  ) {
    self.init(
      Settings(
        bundleIdentifier: ChainForge.bundle, environments: environments, appIdentifier: appIdentifier,
        roots: [RootCertificate(chain.root)], testingRoots: testingRoots.map { RootCertificate($0) }))
  }

  func transaction(_ signed: String) async throws(VerificationError) -> Purchase {
    try await transaction(Array(signed.utf8))
  }

  func notification(_ signed: String) async throws(VerificationError) -> PurchaseEvent {
    try await notification(Array(signed.utf8))
  }

  /// Returns the reason for rejecting a transaction; nil if it is accepted.
  func reason(for signed: String) async -> VerificationError.Reason? {
    do throws(VerificationError) {
      _ = try await transaction(signed)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Returns the reason for rejecting a notification; nil if it is accepted.
  func reason(forNotification signed: String) async -> VerificationError.Reason? {
    do throws(VerificationError) {
      _ = try await notification(signed)
      return nil
    } catch {
      return error.reason
    }
  }
}
