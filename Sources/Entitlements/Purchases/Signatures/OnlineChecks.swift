import HTTPTransport
import Support
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// Checks that certificates are valid now: they have not expired, and the authorities' OCSP servers (RFC 6960) do not
/// report them as revoked.
public struct OnlineChecks: Sendable {
  /// The time for which a result is cached, as in Apple's own libraries.
  static let lifetime = Duration.seconds(15 * 60)

  private let transport: any PostTransport
  private let now: @Sendable () -> Date

  /// Starts the threads for the network.
  ///
  /// - Throws: `VerificationError` with `.unavailable` if the system cannot start a thread for the network.
  public init() throws(VerificationError) {
    do throws(HTTPError) {
      self.init(try HTTPPoster()) { .now }
    } catch {
      throw VerificationError(.unavailable, error.message)
    }
  }

  init(_ transport: any PostTransport, now: @escaping @Sendable () -> Date) {
    self.transport = transport
    self.now = now
  }

  /// Checks a chain that is already verified, so that the addresses of OCSP servers come from trusted certificates only.
  ///
  /// - Throws: `.expired`, `.chain` if a certificate was revoked, or `.unavailable` if its status cannot be determined.
  func verify(_ chain: CertificateChain, upTo root: Certificate) async throws(VerificationError) {
    let now = now()
    guard CertificateChain.validity(of: Array(chain.certificates.dropLast()) + [root])?.contains(now) == true
    else {
      throw VerificationError(.expired, "the certificates are no longer valid", dependsOnSettings: true)
    }
    // In each of its modes, swift-certificates accepts a certificate that names no server.
    guard chain.certificates.dropLast().allSatisfy(Self.namesServer) else {
      throw VerificationError(
        .unavailable, "a certificate names no OCSP server, so its revocation status is unknown")
    }
    let requester = Requester(transport: transport)
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      RFC5280Policy(fixedExpiryValidationTime: now)
      OCSPVerifierPolicy(failureMode: .hard, requester: requester, fixedExpiryValidationTime: now)
    }
    let result = await verifier.validate(
      leaf: chain.certificates[0], intermediates: CertificateStore([chain.certificates[1]]))
    guard case .couldNotValidate(let failures) = result else { return }
    guard requester.failure == nil, failures.contains(where: Self.reportsRevocation) else {
      let failure =
        requester.failure ?? "an OCSP server sent no valid response, or does not know the certificate"
      throw VerificationError(
        .unavailable, "the revocation status of the certificates is unknown: \(failure)")
    }
    throw VerificationError(.chain, "one of the certificates was revoked", dependsOnSettings: true)
  }

  /// Returns whether a verified and timely response reports a revocation.
  ///
  /// `OCSPVerifierPolicy` reports a revocation only in the text of its reason. No other reason begins with these words,
  /// except possibly that of a failed request, which `Requester` records.
  private static func reportsRevocation(_ failure: CertificateValidationResult.PolicyFailure) -> Bool {
    failure.policyFailureReason.description.hasPrefix("revoked through OCSP")
  }

  private static func namesServer(_ certificate: Certificate) -> Bool {
    let access = try? certificate.extensions.authorityInformationAccess
    return access?.contains { $0.method == .ocspServer } ?? false
  }

  /// Sends the requests of the policy and stores the reason for a failure.
  private final class Requester: OCSPRequester {
    private let transport: any PostTransport
    private let state = Mutex<String?>(nil)

    init(transport: any PostTransport) { self.transport = transport }

    var failure: String? { state.withLock { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
      do throws(HTTPError) {
        let address = try HTTPAddress(uri)
        let response = try await transport.post(
          request, as: "application/ocsp-request", to: address, until: .now + Self.timeout)
        guard response.status == 200 else {
          throw HTTPError(.status(response.status), "\(address) answered with status \(response.status)")
        }
        // A response with only an error status (RFC 6960, section 4.2.1) is a failure.
        guard response.body.count > Self.errorStatusSize else {
          throw HTTPError(.unexpectedResponse, "\(address) cannot answer now")
        }
        return .response(response.body)
      } catch {
        state.withLock { $0 = error.message }
        return .terminalError(error)
      }
    }

    /// The time limit for a response, including the wait in the queue.
    private static let timeout = Duration.seconds(20)
    /// The size of a response with only an error status, in bytes: a sequence of one enumerated value.
    private static let errorStatusSize = 5
  }
}
