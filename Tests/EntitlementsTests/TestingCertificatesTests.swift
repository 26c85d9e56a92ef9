import Crypto
import Foundation
import SafeFiles
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Entitlements

@Suite("Testing certificates")
struct TestingCertificatesTests {
  private static let now = Int64(Date.now.timeIntervalSince1970 * 1000)

  private func verifier(_ root: RootCertificate) -> PurchaseVerifier {
    PurchaseVerifier(
      .init(
        bundleIdentifier: "com.example.app", environments: [.sandbox, .production], appIdentifier: 7,
        roots: [root]))
  }

  @Test func `testing certificates sign transactions and notifications that pass verification`() async throws
  {
    let certificates = try TestingCertificates()
    let verifier = verifier(certificates.trustedRoot)
    let signer = try TestingSigner(certificates)
    var transaction = TestingTransaction(
      product: "com.example.coins", kind: .consumable, bundleIdentifier: "com.example.app",
      environment: .production, at: Self.now)
    transaction.purchase.quantity = 5
    transaction.purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    transaction.purchase.expiresDate = Self.now + 1
    transaction.purchase.isFamilyShared = true
    transaction.purchase.revocation = .init(date: Self.now, share: 40_000)
    let signed = try signer.sign(transaction)
    #expect(try await verifier.transaction(signed) == transaction.purchase)
    let notification = try TestingNotification(
      type: "REFUND", subtype: "A", identifier: "u-1", signedDate: Self.now, about: signed, appIdentifier: 7)
    let event = try await verifier.notification(signer.sign(notification))
    #expect(
      event
        == PurchaseEvent(
          identifier: "u-1", type: "REFUND", subtype: "A", environment: .production, signedDate: Self.now,
          purchase: transaction.purchase))
  }

  @Test func `testing certificates are written for their owner only, read back, and never overwritten`()
    async throws
  {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.place("certificates")
    let root = try TestingCertificates().write(to: path)
    let names = try folder.names("certificates")
    #expect(
      names == ["intermediate.key", "intermediate.pem", "leaf.key", "leaf.pem", "root.key", "root.pem"])
    for name in names {
      let status = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      #expect(status[.posixPermissions] as? Int == 0o600)
    }
    let before = try Data(contentsOf: URL(filePath: root))
    #expect(throws: FileError.self) { try TestingCertificates().write(to: path) }
    #expect(try Data(contentsOf: URL(filePath: root)) == before)
    let roots = try RootCertificate.read(Array(before))
    let transaction = TestingTransaction(
      product: "com.example.book", bundleIdentifier: "com.example.app", at: Self.now)
    let signed = try TestingSigner(folder: path).sign(transaction)
    #expect(try await verifier(roots[0]).transaction(signed) == transaction.purchase)
  }

  @Test func `root certificates are read in PEM, one or several, and in DER only`() throws {
    let one = try RootCertificate.appleRootG3()
    let two = try TestingCertificates().trustedRoot
    let pem = try [one, two].map { try $0.certificate.serializeAsPEM() }
    let text = pem.map(\.pemString).joined(separator: "\n")
    #expect(try RootCertificate.read(Array(text.utf8)) == [one, two])
    #expect(try RootCertificate.read(pem[1].derBytes) == [two])
    let key = try TestingCertificates().leafKey.pemRepresentation
    for bad in [[], [0x30, 0x00], Array("hello".utf8), pem[0].derBytes + [0], Array("\(text)\n\(key)".utf8)] {
      #expect(throws: RootCertificateError.self) { try RootCertificate.read(bad) }
    }
  }
}
