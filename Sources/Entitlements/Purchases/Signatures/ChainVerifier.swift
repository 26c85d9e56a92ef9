import Crypto
import Synchronization
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// Verifies the certificates of signed data and returns the key that must have signed the data.
final class ChainVerifier: Sendable {
  /// The key of a verified signing certificate.
  struct SigningKey: Sendable {
    let key: P256.Signing.PublicKey
    /// Whether the chain ends at a testing root, and not at one of the other roots.
    let isTesting: Bool

    /// Returns whether a signature (RFC 7518, section 3.4: two numbers of 32 bytes) is valid for this key.
    func verifies(_ signature: [UInt8], of bytes: ArraySlice<UInt8>) -> Bool {
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: bytes)
    }
  }

  /// A verified chain, with its period of validity.
  private struct VerifiedChain: Sendable {
    let key: SigningKey
    let validity: ClosedRange<Date>
    /// The time until which no new online check is needed; nil without online checks.
    let freshUntil: ContinuousClock.Instant?

    func isValid(at time: Date) -> Bool {
      validity.contains(time) && freshUntil.map { $0 > .now } ?? true
    }
  }

  /// The maximum number of cached chains. The App Store has a few signing certificates at any time.
  private static let maximumCachedCount = 64

  private let roots: [RootCertificate]
  private let testingRoots: [RootCertificate]
  private let onlineChecks: OnlineChecks?
  private let cache = Mutex<[[String]: VerifiedChain]>([:])

  init(roots: [RootCertificate], testingRoots: [RootCertificate], onlineChecks: OnlineChecks?) {
    self.roots = roots
    self.testingRoots = testingRoots
    self.onlineChecks = onlineChecks
  }

  /// Returns the key of the signing certificate.
  ///
  /// - Parameters:
  ///   - texts: The `x5c` of a header.
  ///   - time: The time at which the chain must have been valid.
  /// - Returns: The key, with no signature verified yet.
  /// - Throws: `.chain`, `.expired`, `.unavailable`, or `.algorithm` if the key is not for ES256.
  func signingKey(_ texts: [String], at time: Date) async throws(VerificationError) -> SigningKey {
    if let cached = cache.withLock({ $0[texts] }), cached.isValid(at: time) { return cached.key }
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
      throw VerificationError(.algorithm, "the signing certificate has no P-256 key, which ES256 requires")
    }
    let signingKey = SigningKey(key: key, isTesting: isTesting)
    // Only verified chains are cached, by their text, so that only the App Store can fill the cache.
    if let validity = CertificateChain.validity(of: Array(chain.certificates.dropLast()) + [root]) {
      cache.withLock { cache in
        if cache.count >= Self.maximumCachedCount { cache.removeAll() }
        cache[texts] = VerifiedChain(
          key: signingKey, validity: validity,
          freshUntil: onlineChecks.map { _ in .now + OnlineChecks.lifetime })
      }
    }
    return signingKey
  }

  /// Returns the trusted certificate with the key of the chain's last certificate. That last certificate is untrusted and
  /// may differ.
  ///
  /// Xcode signs with a testing root directly, so the chain consists of the root only.
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
