import SwiftASN1
import X509

/// A policy that distinguishes App Store chains from other chains below the same root, as Apple's own libraries do: by
/// their length, and by a marker extension in the signing and in the intermediate certificate.
struct AppStoreMarkerPolicy: VerifierPolicy, Sendable {
  /// The extension of certificates that sign for the App Store.
  static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// The extension of the intermediate authority, Apple Worldwide Developer Relations.
  static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  let verifyingCriticalExtensions = [leafMarker, intermediateMarker]

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    guard chain.count == CertificateChain.length else {
      return .failsToMeetPolicy(reason: "the chain has \(chain.count) certificates")
    }
    guard chain[0].extensions[oid: Self.leafMarker] != nil else {
      return .failsToMeetPolicy(reason: "the signing certificate has no extension \(Self.leafMarker)")
    }
    guard chain[1].extensions[oid: Self.intermediateMarker] != nil else {
      return .failsToMeetPolicy(
        reason: "the intermediate certificate has no extension \(Self.intermediateMarker)")
    }
    // The RFC 5280 policy accepts certificates of version 1 as authorities of any kind.
    guard case .isCertificateAuthority? = try? chain[1].extensions.basicConstraints else {
      return .failsToMeetPolicy(reason: "the intermediate certificate is not a certificate authority")
    }
    return .meetsPolicy
  }
}
