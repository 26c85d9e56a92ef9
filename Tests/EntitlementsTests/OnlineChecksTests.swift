import Foundation
import HTTPTransport
import SwiftASN1
import Synchronization
import TestSupport
import Testing
import X509

@testable import Entitlements

@Suite("Online checks")
struct OnlineChecksTests {
  /// The OCSP servers of a chain, simulated with `openssl ocsp`.
  final class Authorities: PostTransport {
    private let folder: TemporaryFolder
    private let requests = Mutex(0)
    /// The HTTP status of all responses.
    let status: Int
    /// The body of all responses; nil for real OCSP responses.
    let body: [UInt8]?

    var count: Int { requests.withLock { $0 } }

    init(
      of chain: ChainForge.Chain, revoking revoked: Int? = nil, forgetting forgotten: Int? = nil,
      status: Int = 200, body: [UInt8]? = nil
    ) throws {
      self.status = status
      self.body = body
      folder = try TemporaryFolder()
      for (number, name) in ["leaf", "intermediate"].enumerated() {
        let serial = chain.certificates[number].serialNumber.bytes.map { byte in
          String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined().uppercased()
        let state = number == revoked ? "R\t490101000000Z\t260102000000Z" : "V\t490101000000Z\t"
        let known = number == forgotten ? "00" : serial
        try folder.write("\(state)\t\(known)\tunknown\t/CN=\(name)\n", to: "\(name).index")
        try folder.write(chain.certificates[number + 1].serializeAsPEM().pemString, to: "\(name).issuer")
        try folder.write(chain.authorityKeys[number].serializeAsPEM().pemString, to: "\(name).key")
      }
    }

    func post(
      _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
    ) async throws(HTTPError)
      -> PostResponse
    {
      let number = requests.withLock { number in
        number += 1
        return number
      }
      guard status == 200, type == "application/ocsp-request" else {
        return PostResponse(status: status, body: [])
      }
      if let response = self.body { return PostResponse(status: 200, body: response) }
      let name = address.path.dropFirst()
      let openssl = Launch(
        [
          "/usr/bin/openssl", "ocsp", "-index", "\(name).index", "-CA", "\(name).issuer", "-rsigner",
          "\(name).issuer", "-rkey", "\(name).key", "-reqin", "\(number).request", "-respout",
          "\(number).response", "-ndays", "1",
        ], in: folder.path)
      do {
        try folder.write(body, to: "\(number).request")
        await (try StartedProgram(openssl)).wait()
        return PostResponse(status: 200, body: try folder.bytes("\(number).response"))
      } catch {
        throw HTTPError(.unreachable, "openssl gives no response")
      }
    }
  }

  private func forge() -> ChainForge {
    var forge = ChainForge()
    (forge.leafDays, forge.hasOCSP) = (-100...1000, true)
    return forge
  }

  private func verifier(
    _ chain: ChainForge.Chain, _ authorities: Authorities, days: Double = 0
  ) -> PurchaseVerifier {
    var settings = PurchaseVerifier.Settings(
      bundleIdentifier: ChainForge.bundle, environments: [.production], roots: [RootCertificate(chain.root)])
    settings.onlineChecks = OnlineChecks(authorities) { Date.now + days * 86_400 }
    return PurchaseVerifier(settings)
  }

  @Test func `online checks request the status of both certificates, and keep it`() async throws {
    let chain = try forge().chain()
    let authorities = try Authorities(of: chain)
    let verifier = verifier(chain, authorities)
    let signed = try chain.sign(ChainForge.transaction())
    for _ in 1...3 { #expect(await verifier.reason(for: signed) == nil) }
    #expect(authorities.count == 2)
  }

  @Test(arguments: [0, 1])
  func `online checks refuse a chain with a revoked certificate`(index: Int) async throws {
    let chain = try forge().chain()
    let verifier = verifier(chain, try Authorities(of: chain, revoking: index))
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction())) == .chain)
  }

  @Test func `online checks refuse a chain that has expired since it signed`() async throws {
    var forge = forge()
    forge.leafDays = -100...100
    let chain = try forge.chain()
    let authorities = try Authorities(of: chain)
    let signed = try chain.sign(ChainForge.transaction())
    #expect(await verifier(chain, authorities).reason(for: signed) == .expired)
    #expect(authorities.count == 0)
    #expect(await PurchaseVerifier(trusting: chain).reason(for: signed) == nil)
  }

  @Test func `a refusal by online checks only depends on the settings`() async throws {
    var forge = forge()
    let revoked = try forge.chain()
    forge.leafDays = -100...100
    let expired = try forge.chain()
    let refused: [(ChainForge.Chain, Int?)] = [(expired, nil), (revoked, 0)]
    for (chain, revokedIndex) in refused {
      let verifier = verifier(chain, try Authorities(of: chain, revoking: revokedIndex))
      let signed = try chain.sign(ChainForge.transaction())
      let error = await #expect(throws: VerificationError.self) { _ = try await verifier.transaction(signed) }
      #expect(error?.dependsOnSettings == true)
      #expect(await PurchaseVerifier(trusting: chain).reason(for: signed) == nil)
    }
  }

  @Test func `online checks report an unknown status for missing, invalid and foreign responses`()
    async throws
  {
    let chain = try forge().chain()
    let signed = try chain.sign(ChainForge.transaction())
    func reason(_ authorities: Authorities) async -> VerificationError.Reason? {
      await verifier(chain, authorities).reason(for: signed)
    }
    #expect(await reason(try Authorities(of: chain, status: 503)) == .unavailable)
    #expect(await reason(try Authorities(of: chain, body: [0x30, 0x03, 0x0A, 0x01, 0x03])) == .unavailable)
    for text in ["hello, world", "revoked through OCSP, reason: nil"] {
      #expect(await reason(try Authorities(of: chain, body: Array(text.utf8))) == .unavailable)
    }
    #expect(await reason(try Authorities(of: try forge().chain())) == .unavailable)
    #expect(await reason(try Authorities(of: try forge().chain(), revoking: 0)) == .unavailable)
  }

  @Test(arguments: [0, 1])
  func `online checks report an unknown status if the authority does not know the certificate`(index: Int)
    async throws
  {
    let chain = try forge().chain()
    let verifier = verifier(chain, try Authorities(of: chain, forgetting: index))
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction())) == .unavailable)
  }

  @Test(arguments: [10.0, -10], [nil, 0, 1] as [Int?])
  func `online checks accept no response that is too old or from the future`(days: Double, revoked: Int?)
    async throws
  {
    let chain = try forge().chain()
    let verifier = verifier(chain, try Authorities(of: chain, revoking: revoked), days: days)
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction())) == .unavailable)
  }

  @Test func `online checks report an unknown status for certificates that name no server`() async throws {
    var forge = forge()
    forge.hasOCSP = false
    let chain = try forge.chain()
    let authorities = try Authorities(of: chain)
    let signed = try chain.sign(ChainForge.transaction())
    #expect(await verifier(chain, authorities).reason(for: signed) == .unavailable)
    #expect(authorities.count == 0)
  }

  @Test func `online checks send no request for an untrusted chain`() async throws {
    let chain = try forge().chain()
    let other = try forge().chain()
    let authorities = try Authorities(of: other)
    let signed = try other.sign(ChainForge.transaction())
    #expect(await verifier(chain, authorities).reason(for: signed) == .chain)
    #expect(authorities.count == 0)
  }
}
