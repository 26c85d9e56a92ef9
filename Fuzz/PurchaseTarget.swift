#if SERVER
import Entitlements
import Foundation
import HTTPTransport

/// Verifies data that claims to be signed by the App Store, and reads responses about receipts.
enum PurchaseTarget {
  /// Checks that an untrusted signature is never accepted.
  static func run(signed input: [UInt8]) {
    let verifier = verifier(trusting: unrelatedCertificates)
    require(!wait { (try? await verifier.document(input)) != nil }, "untrusted data is accepted")
    guard let inner = try? NotificationBody.signedPayload(of: input) else { return }
    require(!wait { (try? await verifier.document(inner)) != nil }, "an untrusted notification is accepted")
  }

  /// Checks that a payload signed by a trusted key becomes a purchase with possible values, or is rejected.
  static func run(payload input: [UInt8]) {
    guard let signed = try? signer.sign(input) else { return }
    let verifier = verifier(trusting: signerCertificates)
    wait {
      if let purchase = try? await verifier.transaction(Array(signed.utf8)) { check(purchase) }
      if let event = try? await verifier.notification(Array(signed.utf8)) {
        require(!event.identifier.isEmpty, "an event has no identifier")
        event.purchase.map(check)
      }
      _ = try? await verifier.document(Array(signed.utf8))
    }
  }

  /// Checks that an untrusted certificate is never accepted, at any position of a chain.
  static func run(certificate input: [UInt8]) {
    _ = try? RootCertificate.read(input)
    let text = Data(input).base64EncodedString()
    let verifier = verifier(trusting: unrelatedCertificates)
    for index in chain.indices {
      var texts = chain
      texts[index] = text
      let header = Data("{\"alg\":\"ES256\",\"x5c\":[\"\(texts.joined(separator: "\",\""))\"]}".utf8)
      let signed = ([base64URL(header)] + parts.dropFirst()).joined(separator: ".")
      require(
        !wait { (try? await verifier.document(Array(signed.utf8))) != nil },
        "an untrusted certificate is accepted")
    }
  }

  /// Checks that a response about a receipt has purchases with possible values, or is an error.
  static func run(answer input: [UInt8]) {
    let settings = ReceiptVerifier.Settings(bundleIdentifier: bundle, allowsSandbox: true)
    guard let verifier = try? ReceiptVerifier(settings, FixedAnswer(body: input), pause: { _ in }) else {
      return
    }
    wait { (try? await verifier.purchases(in: "AAAA"))?.forEach(check) }
  }

  private static func check(_ purchase: Purchase) {
    require((1...1_000_000).contains(purchase.quantity), "a quantity is impossible")
    require(!purchase.transactionIdentifier.isEmpty, "a transaction has no identifier")
    require(purchase.purchaseDate >= 0 || purchase.signedDate >= 0, "a purchase is before 1970")
    guard let revocation = purchase.revocation else { return }
    require(
      (0...Purchase.Revocation.maximumShare).contains(revocation.share), "more is revoked than was bought")
  }

  private struct FixedAnswer: PostTransport {
    let body: [UInt8]

    func post(_: [UInt8], as: String, to: HTTPAddress) async throws(HTTPError) -> PostResponse {
      PostResponse(status: 200, body: body)
    }
  }

  private static func verifier(trusting certificates: TestingCertificates) -> PurchaseVerifier {
    PurchaseVerifier(
      .init(
        bundleIdentifier: bundle, environments: [.sandbox, .production], appIdentifier: 1,
        roots: [certificates.trustedRoot]))
  }

  /// Waits for a task, since libFuzzer calls synchronous functions only.
  @discardableResult
  private static func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    Task {
      box.value = await body()
      done.signal()
    }
    done.wait()
    guard let value = box.value else { fatalError("a task has no value") }
    return value
  }

  private final class Box<Value>: @unchecked Sendable {
    // Written before the semaphore is signaled, and read after.
    var value: Value?
  }

  // MARK: Seeds

  private static let bundle = "com.example.app"
  private static let signerCertificates = made { try TestingCertificates() }
  private static let unrelatedCertificates = made { try TestingCertificates() }
  private static let signer = made { try TestingSigner(signerCertificates) }
  private static let transaction: TestingTransaction = {
    var transaction = TestingTransaction(
      product: "com.example.coins", kind: .consumable, bundleIdentifier: bundle, at: 1_790_000_000_000)
    transaction.purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    transaction.purchase.revocation = .init(date: 1_790_000_000_000, share: 40_000)
    return transaction
  }()
  private static let notification = made {
    try TestingNotification(
      type: "REFUND", identifier: "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6", signedDate: 1_790_000_000_000,
      about: signer.sign(transaction), appIdentifier: 1)
  }
  private static let signedTransaction = made { try signer.sign(transaction) }
  private static let parts = signedTransaction.split(separator: ".").map(String.init)
  /// The certificates in the header of the signer's signatures.
  private static let chain: [String] = made {
    let text = parts[0].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let header = try JSONSerialization.jsonObject(with: Data(base64Encoded: padded) ?? Data())
    return (header as? [String: Any])?["x5c"] as? [String] ?? []
  }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
      of: "/", with: "_"
    )
    .replacingOccurrences(of: "=", with: "")
  }

  private static func made<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch { fatalError("the seeds are wrong: \(error)") }
  }

  static let signed: [[UInt8]] = [
    Array(signedTransaction.utf8), Array(made { try signer.sign(notification) }.utf8),
    Array("{\"signedPayload\":\"\(signedTransaction)\"}".utf8),
  ]
  static let payloads: [[UInt8]] = [transaction.payload, notification.payload]
  static let certificates: [[UInt8]] = chain.compactMap { Data(base64Encoded: $0).map { Array($0) } }
  static let receiptResponses: [[UInt8]] = [
    wait {
      await TestingReceipts(root: signerCertificates.trustedRoot).response(
        to: Array("{\"receipt-data\":\"\(TestingReceipts.receipt(of: [signedTransaction]))\"}".utf8),
        isSandbox: true, now: 1_790_000_000_000)
    }, TestingReceipts.response(status: 21007),
  ]
}
#endif
