import Support
import SwiftASN1
@_spi(DisableValidityCheck) @_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// The parsed certificates of a header, not yet verified.
struct CertificateChain {
  /// The number of certificates: the signing certificate, the intermediate certificate and the root.
  static let length = 3
  /// The maximum length of one certificate, in base64 characters. The App Store's have about 1,500.
  private static let maximumLength = 16 << 10

  let certificates: [Certificate]

  /// Parses certificates in base64.
  ///
  /// - Throws: `.chain` if a text is not a certificate.
  init(_ texts: [String]) throws(VerificationError) {
    var certificates: [Certificate] = []
    for (index, text) in texts.enumerated() {
      guard text.utf8.count <= Self.maximumLength, let bytes = Base64.standard.decode(Array(text.utf8)),
        let certificate = try? Certificate(derEncoded: bytes)
      else {
        throw VerificationError(.chain, "certificate \(index + 1) is not an X.509 certificate in base64")
      }
      certificates.append(certificate)
    }
    self.certificates = certificates
  }

  /// Returns the period in which all certificates are valid; nil if there is none.
  static func validity(of certificates: [Certificate]) -> ClosedRange<Date>? {
    guard let start = certificates.map(\.notValidBefore).max(),
      let end = certificates.map(\.notValidAfter).min(), start <= end
    else { return nil }
    return start...end
  }

  /// Verifies that the chain ends at `root`, has the properties of the App Store's chains, and was valid at `time`.
  ///
  /// - Throws: `.chain`, or `.expired` if only the time is wrong.
  func verify(upTo root: Certificate, at time: Date) async throws(VerificationError) {
    if await isValid(upTo: root, RFC5280Policy(fixedExpiryValidationTime: time)) { return }
    // The chain is rejected. The second attempt only determines the reason.
    if await isValid(upTo: root, RFC5280Policy.withValidityCheckDisabled()) { throw Self.expired }
    throw VerificationError(
      .chain, "the certificates are not a chain from an App Store signing certificate to a trusted root")
  }

  private func isValid(upTo root: Certificate, _ policy: RFC5280Policy) async -> Bool {
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      policy
      AppStoreMarkerPolicy()
    }
    let result = await verifier.validate(
      leaf: certificates[0], intermediates: CertificateStore([certificates[1]]))
    guard case .validCertificate = result else { return false }
    return true
  }

  static let expired = VerificationError(
    .expired, "the certificates were not valid at the signedDate of the payload")
}
