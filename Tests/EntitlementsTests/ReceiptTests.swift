import Foundation
import HTTPTransport
import Synchronization
import Testing

@testable import Entitlements

@Suite("A receipt")
struct ReceiptTests {
  /// A transport that returns given responses in order, and records requests and delays.
  final class FakeStore: PostTransport {
    struct Note: Sendable {
      var answers: [Result<PostResponse, HTTPError>]
      var asked: [String] = []
      var bodies: [[UInt8]] = []
      var pauses: [Duration] = []
    }

    let note: Mutex<Note>

    init(_ answers: [Result<PostResponse, HTTPError>]) { note = Mutex(Note(answers: answers)) }

    convenience init(_ answers: String...) {
      self.init(answers.map { .success(PostResponse(status: 200, body: Array($0.utf8))) })
    }

    func post(
      _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
    ) async throws(HTTPError)
      -> PostResponse
    {
      try note.withLock { note in
        note.asked.append(address.authority)
        note.bodies.append(body)
        return note.answers.isEmpty
          ? .failure(HTTPError(.unreachable, "there is no further response")) : note.answers.removeFirst()
      }.get()
    }

    var asked: [String] { note.withLock { $0.asked } }
    var pauses: [Duration] { note.withLock { $0.pauses } }

    func verifier(allowsSandbox: Bool = true, secret: String? = nil) throws -> ReceiptVerifier {
      try ReceiptVerifier(
        .init(bundleIdentifier: "com.example.app", allowsSandbox: allowsSandbox, sharedSecret: secret), self
      ) { pause in self.note.withLock { $0.pauses.append(pause) } }
    }

    func purchases(allowsSandbox: Bool = true) async throws -> [Purchase] {
      try await verifier(allowsSandbox: allowsSandbox).purchases(in: "AAAA")
    }
  }

  private static let production = "buy.itunes.apple.com"
  private static let sandbox = "sandbox.itunes.apple.com"

  private static func status(_ number: Int, _ more: String = "") -> String { "{\"status\":\(number)\(more)}" }

  private static func valid(
    inApp: String = "[]", latest: String? = nil, bundle: String = "\"com.example.app\"", more: String = ""
  ) -> String {
    let latest = latest.map { ",\"latest_receipt_info\":\($0)" } ?? ""
    return "{\"receipt\":{\"bundle_id\":\(bundle),\"receipt_creation_date_ms\":\"1000\","
      + "\"request_date_ms\":\"2000\",\"in_app\":\(inApp)},\"status\":0\(latest)\(more)}"
  }

  @Test func `the requests about a receipt end in time, even if each takes long`() async throws {
    let store = FakeStore()
    let start = ContinuousClock.now
    let verifier = try ReceiptVerifier(
      .init(bundleIdentifier: "com.example.app", allowsSandbox: true), store,
      now: { start + .seconds(8) * store.asked.count }
    ) { _ in }
    await #expect(throws: ReceiptError.self) { try await verifier.purchases(in: "AAAA") }
    #expect(store.asked.count == 3)
  }

  /// A transport that responds after it has received all requests.
  final class SlowStore: PostTransport {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let count: Int
    let isFull = AsyncStream<Void>.makeStream()

    init(_ count: Int) { self.count = count }

    func post(
      _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
    ) async throws(HTTPError) -> PostResponse {
      await withCheckedContinuation { task in
        let isLast = waiting.withLock { waiting in
          waiting.append(task)
          return waiting.count == count
        }
        if isLast { isFull.continuation.yield() }
      }
      return PostResponse(status: 200, body: Array(ReceiptTests.valid().utf8))
    }

    func answer() { waiting.withLock { $0 }.forEach { $0.resume() } }
  }

  @Test func `a receipt is refused at once while too many others wait`() async throws {
    let store = SlowStore(ReceiptVerifier.maximumReceiptCount)
    let verifier = try ReceiptVerifier(
      .init(bundleIdentifier: "com.example.app", allowsSandbox: true), store
    ) { _ in }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<ReceiptVerifier.maximumReceiptCount {
        group.addTask { _ = try await verifier.purchases(in: "AAAA") }
      }
      for await _ in store.isFull.stream { break }
      await #expect(throws: ReceiptError(.unavailable, "too many receipts wait for the App Store")) {
        try await verifier.purchases(in: "AAAA")
      }
      store.answer()
      try await group.waitForAll()
    }
  }

  @Test func `a request that waits for others fails in time while the App Store is silent`() async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try #require(listen(listener, 100) == 0)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(listener, pointer, &size)
      }
    }
    try #require(isNamed == 0)
    let store = try HTTPAddress("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
    let poster = try HTTPPoster()
    // On a busy machine, requests in progress can end first with the failure of the network.
    let late = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do throws(HTTPError) {
            _ = try await poster.post([1], as: "text/plain", to: store, until: .now + .milliseconds(100))
            return false
          } catch {
            return error.message == "\(store) does not answer in time"
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(late >= 32)
  }

  @Test func `purchases that the App Store adds to a receipt are newer than those in it`() async throws {
    let inApp = """
      [{"quantity":"7","product_id":"coins","transaction_id":"1","original_transaction_id":"1",
        "purchase_date_ms":"500","is_trial_period":"false"},
       {"quantity":"1","product_id":"book","transaction_id":"3","original_transaction_id":"2",
        "purchase_date_ms":"400","app_account_token":"7E3FB20B-4CDB-47CC-936D-99D65F608138"},
       {"product_id":"club","transaction_id":"4","purchase_date_ms":600,"expires_date_ms":"900",
        "is_upgraded":"true"}]
      """
    let latest = """
      [{"quantity":"1","product_id":"book","transaction_id":"3","original_transaction_id":"2",
        "purchase_date_ms":"400","cancellation_date_ms":"1500","in_app_ownership_type":"FAMILY_SHARED"}]
      """
    let found = try await FakeStore(Self.valid(inApp: inApp, latest: latest)).purchases()
    func purchase(
      _ identifier: String, _ original: String, _ product: String, at date: Int64, signed: Int64
    ) -> Purchase {
      Purchase(
        environment: .production, transactionIdentifier: identifier, originalTransactionIdentifier: original,
        productIdentifier: product, kind: nil, purchaseDate: date, signedDate: signed)
    }
    var book = purchase("3", "2", "book", at: 400, signed: 2000)
    book.isFamilyShared = true
    book.revocation = Purchase.Revocation(date: 1500)
    var coins = purchase("1", "1", "coins", at: 500, signed: 1000)
    coins.quantity = 7
    var club = purchase("4", "4", "club", at: 600, signed: 1000)
    club.expiresDate = 900
    club.isUpgraded = true
    #expect(found == [book, coins, club])
  }

  @Test func `a sandbox receipt is requested from the sandbox, if the sandbox is accepted`() async throws {
    let store = FakeStore(
      Self.status(21007), Self.valid(inApp: Self.coins, more: ",\"environment\":\"Sandbox\""))
    #expect(try await store.purchases().map(\.environment) == [.sandbox])
    #expect(store.asked == [Self.production, Self.sandbox])
    let other = FakeStore(Self.status(21007))
    await #expect(
      throws: ReceiptError(
        .refused(.environment), "the receipt is from the sandbox, expected one from production")
    ) {
      try await other.purchases(allowsSandbox: false)
    }
    #expect(other.asked == [Self.production])
  }

  private static let coins =
    "[{\"product_id\":\"coins\",\"transaction_id\":\"1\",\"purchase_date_ms\":\"5\"}]"

  @Test(arguments: [
    status(21002), status(21005), status(21009), status(21100, ",\"is-retryable\":true"),
    status(21150, ",\"is-retryable\":1"), status(21199, ",\"is-retryable\":\"1\""),
  ])
  func `a receipt is requested again for temporary statuses, after growing pauses`(answer: String)
    async throws
  {
    let store = FakeStore(answer, answer, Self.valid(inApp: Self.coins))
    #expect(try await store.purchases().count == 1)
    #expect(store.pauses == Array(ReceiptVerifier.retryDelays.prefix(2)))
    let never = FakeStore(answer, answer, answer, answer, answer, answer)
    await #expect { try await never.purchases() } throws: { ($0 as? ReceiptError)?.reason == .unavailable }
    #expect(never.pauses == ReceiptVerifier.retryDelays)
    #expect(never.asked.count == ReceiptVerifier.retryDelays.count + 1)
    #expect(zip(never.pauses, never.pauses.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a receipt is requested again after temporary errors of the network or server`() async throws {
    let good = Result<PostResponse, HTTPError>.success(
      PostResponse(status: 200, body: Array(Self.valid().utf8)))
    for failure: Result<PostResponse, HTTPError> in [
      .failure(HTTPError(.unreachable, "no")), .success(PostResponse(status: 503, body: [])),
      .success(PostResponse(status: 429, body: [])),
    ] {
      let store = FakeStore([failure, good])
      #expect(try await store.purchases() == [])
      #expect(store.pauses.count == 1)
    }
    for failure: Result<PostResponse, HTTPError> in [
      .failure(HTTPError(.untrusted, "no")), .success(PostResponse(status: 404, body: [])),
      .success(PostResponse(status: 302, body: [])),
    ] {
      let store = FakeStore([failure, good])
      await #expect { try await store.purchases() } throws: { ($0 as? ReceiptError)?.reason == .unavailable }
      #expect(store.pauses == [])
    }
  }

  @Test(arguments: [
    (status(21003), ReceiptError.Reason.refused(.signature)), (status(21004), .unavailable),
    (status(21006), .refused(.expired)), (status(21008), .unavailable),
    (status(21010), .refused(.malformed)),
    (status(21100), .refused(.malformed)), (status(21199, ",\"is-retryable\":false"), .refused(.malformed)),
    (status(21200, ",\"is-retryable\":true"), .unavailable), (status(21000), .unavailable),
    (status(-1), .unavailable), ("{}", .unavailable), ("", .unavailable), ("<html>", .unavailable),
    ("{\"status\":\"0\"}", .unavailable), ("{\"status\":0,\"status\":0}", .unavailable),
    (status(0), .refused(.malformed)),
    (valid(bundle: "\"com.example.other\""), .refused(.bundleIdentifier)),
    (valid(bundle: "null"), .refused(.bundleIdentifier)),
    (valid(more: ",\"environment\":\"Sandbox\""), .refused(.environment)),
    (valid(inApp: "[{}]"), .refused(.malformed)), (valid(inApp: "{}"), .unavailable),
    (
      valid(
        inApp:
          "[{\"product_id\":\"a\",\"transaction_id\":\"1\",\"purchase_date_ms\":\"5\",\"quantity\":\"-1\"}]"
      ),
      .refused(.malformed)
    ),
    (
      valid(
        inApp:
          "[{\"product_id\":\"a\",\"transaction_id\":\"1\",\"purchase_date_ms\":\"5\",\"quantity\":\"1.5\"}]"
      ),
      .unavailable
    ),
  ])
  func `a receipt is not requested again after other responses`(answer: String, reason: ReceiptError.Reason)
    async throws
  {
    let store = FakeStore(answer)
    await #expect { try await store.purchases() } throws: { ($0 as? ReceiptError)?.reason == reason }
    #expect(store.asked == [Self.production])
  }

  @Test(arguments: ["", "AAA", "!!!!", "AA==\n", "\"", String(repeating: "A", count: 5 << 20)])
  func `a receipt that is not base64, or is too large, is refused`(receipt: String) async throws {
    let store = FakeStore()
    await #expect { try await store.verifier().purchases(in: receipt) } throws: {
      ($0 as? ReceiptError)?.reason == .refused(.malformed)
    }
    #expect(store.asked == [])
  }

  @Test func `a receipt is sent with the shared secret`() async throws {
    let store = FakeStore(Self.valid())
    _ = try await store.verifier(secret: "s3cret").purchases(in: "AAAA")
    let body = store.note.withLock { $0.bodies.map { String(decoding: $0, as: UTF8.self) } }
    #expect(body == ["{\"receipt-data\":\"AAAA\",\"password\":\"s3cret\"}"])
  }

  @Test func `the deprecation of the service is reported once`() async throws {
    let notes = Mutex<[String]>([])
    let response = PostResponse(status: 200, deprecation: "@1", body: Array(Self.valid().utf8))
    let store = FakeStore([.success(response), .success(response)])
    var settings = ReceiptVerifier.Settings(bundleIdentifier: "com.example.app", allowsSandbox: false)
    settings.noteDeprecation = { note in notes.withLock { $0.append(note) } }
    let verifier = try ReceiptVerifier(settings, store) { _ in }
    for _ in 1...2 { _ = try await verifier.purchases(in: "AAAA") }
    #expect(notes.withLock { $0 } == ["@1"])
  }

  /// A transport that responds about testing receipts.
  struct TestingStore: PostTransport {
    let receipts: TestingReceipts

    func post(
      _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
    ) async throws(HTTPError)
      -> PostResponse
    {
      let isSandbox = address.authority.hasPrefix("sandbox")
      return PostResponse(
        status: 200, body: await receipts.response(to: body, isSandbox: isSandbox, now: 2_000_000_000_000))
    }
  }

  @Test func `a receipt of testing transactions is verified`() async throws {
    let certificates = try TestingCertificates()
    let store = TestingStore(receipts: TestingReceipts(root: certificates.trustedRoot))
    let verifier = try ReceiptVerifier(
      .init(bundleIdentifier: "com.example.app", allowsSandbox: true), store
    ) { _ in }
    let now = Int64(Date.now.timeIntervalSince1970 * 1000)
    func signed(_ environment: StoreEnvironment, by certificates: TestingCertificates) throws -> String {
      var transaction = TestingTransaction(
        product: "com.example.coins", kind: .consumable, bundleIdentifier: "com.example.app",
        environment: environment, at: now)
      transaction.purchase.quantity = 4
      return try TestingSigner(certificates).sign(transaction)
    }
    for environment in [StoreEnvironment.production, .sandbox] {
      let transactions = try [signed(environment, by: certificates), signed(environment, by: certificates)]
      let found = try await verifier.purchases(in: TestingReceipts.receipt(of: transactions))
      #expect(found.map(\.quantity) == [4, 4])
      #expect(found.allSatisfy { $0.environment == environment && $0.signedDate == now })
    }
    let forged = TestingReceipts.receipt(of: [try signed(.sandbox, by: TestingCertificates())])
    await #expect { try await verifier.purchases(in: forged) } throws: {
      ($0 as? ReceiptError)?.reason == .refused(.signature)
    }
    await #expect { try await verifier.purchases(in: "AAAA") } throws: {
      ($0 as? ReceiptError)?.reason == .unavailable
    }
  }
}
