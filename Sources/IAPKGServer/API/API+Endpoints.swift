import ContentPackage
import Delivery
import Entitlements
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

extension API {
  func dispatch(
    _ request: Request, _ endpoint: Endpoint, _ parameters: [String: String], _ token: AccountToken?,
    _ peer: Peer
  ) async throws -> Response {
    switch endpoint {
    case .products: return try await products(request)
    case .transactions: return try await present(request, token)
    case .notifications: return try await notify(request)
    case .entitlements: return try await holdings(try required(token))
    case .catalog, .trust, .productReleases, .release:
      return try await content(request, try required(token), peer)
    case .spend: return try await spend(request, parameters["balance"] ?? "", try required(token))
    case .account: return try await account(parameters["accountId"] ?? "")
    case .grant, .revoke:
      return try await adjust(request, endpoint, parameters["accountId"] ?? "")
    case .health: return .json { $0.member("status", "alive") }
    case .readiness: return try await readiness()
    case .metrics: return metricsText()
    case .description: return description
    }
  }

  private func required(_ token: AccountToken?) throws -> AccountToken {
    guard let token else { throw Problem(.missingToken) }
    return token
  }

  private func products(_ request: Request) async throws -> Response {
    let list = try await services.products.current()
    var fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: "public, max-age=60", .eTag: list.tag,
    ]
    if let tags = request.headers[.ifNoneMatch], ContentRequest.names(list.tag, in: tags) {
      fields[.contentType] = nil
      fields[.contentLength] = String(list.bytes.count)
      return Response(status: .notModified, headers: fields)
    }
    fields[.contentLength] = String(list.bytes.count)
    let body =
      request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: list.bytes))
    return Response(status: .ok, headers: fields, body: body)
  }

  private func holdings(_ token: AccountToken) async throws -> Response {
    var holdings = Holdings()
    if token.purchases == nil {
      holdings = try await services.ledger.holdings(of: token.account, in: token.environment)
    } else {
      holdings.entitlements = try await entitlements(token)
    }
    if holdings == Holdings() { try await checkKnown(token) }
    return .json {
      $0.member("accountId", token.account)
      $0.member("environment", token.environment.rawValue)
      $0.members(holdings)
    }
  }

  private func content(
    _ request: Request, _ token: AccountToken, _ peer: Peer
  ) async throws -> Response {
    let prefix = "/v1/store/"
    guard let path = StorePath(String(request.uri.path.dropFirst(prefix.count))), path.kind != .trustDraft
    else { throw Problem(.notFound) }
    switch path.kind {
    case .package(let product), .index(let product), .pages(let product):
      try await checkEntitled(token, product.text)
    default: try await checkKnown(token)
    }
    do {
      return try await services.store.response(
        to: request, path, peer, now: services.now(), sent: metrics.countContent)
    } catch let problem as Problem where problem.kind == .notFound {
      // If the store itself is unavailable, a missing object is a temporary failure.
      guard await services.store.isAvailable else {
        throw Problem(.unavailable, Problem.noStore, reason: "store")
      }
      throw problem
    }
  }

  private func checkEntitled(_ token: AccountToken, _ product: String) async throws {
    let entitlements = try await entitlements(token)
    guard entitlements.contains(where: { $0.productIdentifier == product }) else {
      try await checkKnown(token)
      throw Problem(.notEntitled, "the account is not entitled to \(product)")
    }
  }

  private func entitlements(_ token: AccountToken) async throws -> [Entitlement] {
    try await services.ledger.entitlements(
      of: token.account, in: token.environment, from: token.purchases)
  }

  /// Rejects the token of an account that a restored database does not know, so that the client presents its purchases
  /// again instead of showing no entitlements.
  private func checkKnown(_ token: AccountToken) async throws {
    guard try await services.ledger.hasAccount(token.account) else {
      throw Problem(.invalidToken, "the account is not known", reason: "unknown-account")
    }
  }

  private func spend(_ request: Request, _ balance: String, _ token: AccountToken) async throws -> Response {
    guard token.purchases == nil else {
      throw Problem(.forbidden, "the token is for the content of some purchases only")
    }
    let spending = try SpendRequest(try await request.json(atMost: SpendRequest.maximumBodySize, body))
    let outcome = try await services.ledger.spend(
      spending.amount, of: balance, account: token.account, environment: token.environment,
      requestIdentifier: spending.requestIdentifier)
    func response(_ status: String, _ remaining: Int64) -> Response {
      .json {
        $0.member("balance", balance)
        $0.member("status", status)
        $0.member("remaining", remaining)
      }
    }
    switch outcome {
    case .spent(let remaining): return response("spent", remaining)
    case .repeated(let remaining): return response("repeated", remaining)
    case .insufficient(let available):
      try await checkKnown(token)
      var problem = Problem(
        .insufficientBalance, "the balance is \(available), which is less than \(spending.amount)")
      problem.balance = available
      throw problem
    case .conflict: throw Problem(.conflict, "another request was made with this requestId")
    }
  }

  private func readiness() async throws -> Response {
    guard await database.isReady() else {
      throw Problem(.unavailable, Problem.noDatabase, reason: "database")
    }
    guard await services.store.isAvailable, await services.products.isAnswering() else {
      throw Problem(.unavailable, Problem.noStore, reason: "store")
    }
    return .json { $0.member("status", "ready") }
  }

  private func metricsText() -> Response {
    Response(
      status: .ok,
      headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
  }

  private var description: Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=3600"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: OpenAPI.document)))
  }
}
