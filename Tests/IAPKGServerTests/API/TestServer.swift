import ContentPackage
import Delivery
import Entitlements
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Support
import Synchronization
import TestSupport

@testable import IAPKGServer

/// The API with its own database and store, called without a network.
struct TestServer {
  let workspace: ServerWorkspace
  private(set) var api: API
  let signer: TestingSigner
  let log: LogLines

  static let bundle = "com.example.app"
  static let admin = "an admin token of the tests"
  /// The current time, in seconds since 1970: 2026-01-01.
  static let now: Int64 = 1_767_225_600

  init(
    perSecond: Int = 100_000, proxies: [String] = [], proof: AccountProof = .token,
    onOtherAccount: OtherAccountPolicy = .reject, isProduction: Bool = false, appIdentifier: Int64? = nil,
    onlineChecks: OnlineChecks? = nil, bodies: BodyBudget = BodyBudget(),
    clock: @escaping @Sendable () -> Int64 = { now }
  ) async throws {
    workspace = try ServerWorkspace()
    let certificates = try TestingCertificates()
    signer = try TestingSigner(certificates)
    for product in ["com.example.book", "com.example.other"] {
      let package = try workspace.makePackage(product)
      let outcome = try await workspace.run("iapkg", "publish", package, "--to", "store")
      guard outcome.code == 0 else { throw CommandFailure(.internalError, outcome.errors) }
    }
    let path = workspace.path
    let products = try ProductCatalog(
      json: Array(
        #"""
        {"com.example.coins": {"type": "consumable", "credits": {"coins": 100}},
         "com.example.novel": {"type": "non-consumable"},
         "com.example.chest": {"type": "consumable", "credits": {"gold coins": 5, "münzen": 7, "50%+": 9}}}
        """#.utf8))
    var settings = LedgerSettings(products: products)
    // Hundreds of tests at the same time delay requests for minutes.
    settings.requestTimeout = .seconds(600)
    settings.accountProof = proof
    settings.onOtherAccount = onOtherAccount
    let ledger = try await Ledger.open(.file("\(path)/ledger.sqlite"), settings)
    var verifier = PurchaseVerifier.Settings(
      bundleIdentifier: Self.bundle, environments: isProduction ? [.production] : [.production, .sandbox],
      appIdentifier: appIdentifier, roots: isProduction ? [certificates.trustedRoot] : [],
      testingRoots: isProduction ? [] : [certificates.trustedRoot])
    verifier.onlineChecks = onlineChecks
    let log = LogLines()
    self.log = log
    let services = ServerServices(
      ledger: ledger,
      verifier: PurchaseVerifier(verifier),
      receipts: try ReceiptVerifier(.init(bundleIdentifier: Self.bundle, allowsSandbox: true)),
      store: .folder(ContentFolder(path: "\(path)/store")),
      products: ProductList(
        FolderStore("\(path)/store", cancellation: Cancellation()),
        logger: Logger(label: "test") { _ in CollectingLog(lines: log) }), productCatalog: products,
      tokens: try await TokenKeys(try TokenKeyFile.open("\(path)/keys"), audience: Self.bundle),
      admin: AdminToken(Self.admin), limiter: RateLimiter(perSecond: perSecond, burst: perSecond),
      trustedProxies: proxies.compactMap { NetworkAddress($0) }, now: clock)
    api = API(
      services: services, metrics: ServerMetrics(),
      logger: Logger(label: "test") { _ in CollectingLog(lines: log) }, readinessFreshness: .zero,
      bodies: bodies)
  }

  /// Returns the server with another file of products.
  func with(offers: ProductCatalog) -> TestServer {
    let services = api.services
    var server = self
    server.api = API(
      services: ServerServices(
        ledger: services.ledger, verifier: services.verifier, receipts: services.receipts,
        store: services.store, products: services.products, productCatalog: offers, tokens: services.tokens,
        admin: services.admin, limiter: services.limiter, trustedProxies: services.trustedProxies,
        now: services.now), metrics: api.metrics, logger: api.logger, readinessFreshness: .zero)
    return server
  }

  /// Returns a signed sandbox transaction.
  func sign(
    _ product: String, kind: ProductKind = .nonConsumable, change: (inout Purchase) -> Void = { _ in }
  ) throws -> String {
    var transaction = TestingTransaction(
      product: product, kind: kind, bundleIdentifier: Self.bundle, at: Self.now * 1_000)
    change(&transaction.purchase)
    return try signer.sign(transaction)
  }

  func ask(
    _ method: HTTPRequest.Method, _ path: String, token: String? = nil, fields: HTTPFields = [:],
    body: String? = nil, from address: String = "192.0.2.1"
  ) async throws -> Reply {
    var fields = fields
    if let token { fields[.authorization] = "Bearer \(token)" }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? "")))
    let response = await api.respond(to: request, peer: Peer(address: address))
    let collector = CollectedBody()
    try await response.body.write(collector)
    return Reply(status: response.status.code, fields: response.headers, body: collector.bytes)
  }

  /// Presents transactions.
  func present(_ signed: [String], token: String? = nil) async throws -> Reply {
    let list = signed.map { "\"\($0)\"" }.joined(separator: ",")
    return try await ask(.post, "/v1/transactions", token: token, body: "{\"signedTransactions\": [\(list)]}")
  }

  func spend(_ amount: Int, of balance: String, token: String) async throws -> Reply {
    try await ask(
      .post, "/v1/balances/\(balance)/spend", token: token,
      body: "{\"amount\": \(amount), \"requestId\": \"\(UUID().uuidString)\"}")
  }

  /// Buys products and returns the token of the account.
  func token(buying products: String...) async throws -> String {
    let reply = try await present(try products.map { try sign($0) })
    return try reply.json["token"] as? String ?? ""
  }

  var release: String { get throws { try object(".pkg") } }

  /// Returns the address of the object of the release with this suffix.
  func object(_ suffix: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(workspace.path)/store/releases/com.example.book")
    return "/v1/store/releases/com.example.book/" + (names.first { $0.hasSuffix(suffix) } ?? "")
  }
}

struct Reply {
  let status: Int
  let fields: HTTPFields
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: [String: Any] {
    get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
  }
  /// The last part of the problem's type.
  var problem: String? {
    ((try? json["type"]) as? String).flatMap { $0.split(separator: ":").last.map(String.init) }
  }
  var statuses: [String] {
    get throws { (try json["results"] as? [[String: Any]] ?? []).compactMap { $0["status"] as? String } }
  }
}

/// The collected lines of a log.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  var text: String { lines.withLock { $0.joined(separator: "\n") } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct CollectingLog: LogHandler {
  let lines: LogLines
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) { lines.add("\(event.message) \(event.metadata ?? [:])") }
}

/// The collected bytes of a response.
private final class CollectedBody: ResponseBodyWriter, Sendable {
  private let content = Mutex<[UInt8]>([])
  var bytes: [UInt8] { content.withLock(\.self) }
  func write(_ buffer: ByteBuffer) { content.withLock { $0 += Array(buffer: buffer) } }
  func finish(_ trailingHeaders: HTTPFields?) {}
}
