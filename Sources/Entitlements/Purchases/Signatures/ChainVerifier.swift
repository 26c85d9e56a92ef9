import Crypto
import Synchronization
import X509

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// Finds the key that signed data has to be signed with, by the certificates that come with it.
final class ChainVerifier: Sendable {
  /// A key that may sign for the App Store.
  struct SigningKey: Sendable {
    let key: P256.Signing.PublicKey
    /// Whether a testing root vouches for it, and Apple does not.
    let isTesting: Bool

    /// Whether a signature (RFC 7518, section 3.4: two numbers of 32 bytes) is that of this key.
    func verifies(_ signature: [UInt8], of bytes: ArraySlice<UInt8>) -> Bool {
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: bytes)
    }
  }

  /// A chain that holds, and how long it does.
  private struct Known: Sendable {
    let key: SigningKey
    let validity: ClosedRange<Date>
    /// Until when that may be said without asking again; nil for ever.
    let freshUntil: ContinuousClock.Instant?

    func holds(at time: Date) -> Bool {
      validity.contains(time) && freshUntil.map { $0 > .now } ?? true
    }
  }

  /// The App Store has a few signing certificates at any time.
  private static let mostKnown = 64

  private let roots: [RootCertificate]
  private let testingRoots: [RootCertificate]
  private let onlineChecks: OnlineChecks?
  private let known = Mutex<[[String]: Known]>([:])

  init(roots: [RootCertificate], testingRoots: [RootCertificate], onlineChecks: OnlineChecks?) {
    self.roots = roots
    self.testingRoots = testingRoots
    self.onlineChecks = onlineChecks
  }

  /// The key of the first of these certificates.
  ///
  /// - Parameters:
  ///   - texts: `x5c` of a header.
  ///   - time: when the chain has to have been valid.
  /// - Returns: the key, which nothing was verified with yet.
  /// - Throws: `.chain`, `.expired`, `.unavailable`, or `.algorithm` if the key is not for ES256.
  func signingKey(_ texts: [String], at time: Date) async throws(VerificationError) -> SigningKey {
    if let known = known.withLock({ $0[texts] }), known.holds(at: time) { return known.key }
    guard texts.count == CertificateChain.length || (texts.count == 1 && !testingRoots.isEmpty) else {
      throw VerificationError(
        .chain, "there are \(texts.count) certificates, expected \(CertificateChain.length)")
    }
    let chain = try CertificateChain(texts)
    let (root, isTesting) = try trustedRoot(of: chain)
    if chain.certificates.count == 1 {
      try Self.check(root, isValidAt: time)
    } else {
      try await chain.verify(upTo: root, at: time)
      try await onlineChecks?.verify(chain, upTo: root)
    }
    guard let key = P256.Signing.PublicKey(chain.certificates[0].publicKey) else {
      throw VerificationError(.algorithm, "the signing certificate's key is not one of P-256, as ES256 needs")
    }
    let found = SigningKey(key: key, isTesting: isTesting)
    // What was verified is kept by its text, so that nobody but the App Store can fill this.
    if let validity = CertificateChain.validity(of: Array(chain.certificates.dropLast()) + [root]) {
      known.withLock { known in
        if known.count >= Self.mostKnown { known.removeAll() }
        known[texts] = Known(
          key: found, validity: validity, freshUntil: onlineChecks.map { _ in .now + OnlineChecks.lifetime })
      }
    }
    return found
  }

  /// The trusted certificate with the key of the chain's last one, which is not trusted itself and may differ.
  ///
  /// Xcode signs with a testing root itself, which then is the whole chain.
  private func trustedRoot(
    of chain: CertificateChain
  ) throws(VerificationError) -> (root: Certificate, isTesting: Bool) {
    let last = chain.certificates.last?.publicKey
    if chain.certificates.count == CertificateChain.length,
      let root = roots.first(where: { $0.certificate.publicKey == last })
    {
      return (root.certificate, false)
    }
    guard let root = testingRoots.first(where: { $0.certificate.publicKey == last }) else {
      throw VerificationError(.chain, "the last certificate is not a trusted root")
    }
    return (root.certificate, true)
  }

  private static func check(_ root: Certificate, isValidAt time: Date) throws(VerificationError) {
    guard CertificateChain.validity(of: [root])?.contains(time) == true else {
      throw CertificateChain.expired
    }
  }
}
