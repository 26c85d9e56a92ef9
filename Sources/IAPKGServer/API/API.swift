import Entitlements
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Support
import Synchronization

/// Handles the requests of the API.
struct API: Sendable {
  let services: ServerServices
  let metrics: ServerMetrics
  private(set) var logger: Logger
  let database: DatabaseWatch
  private let bodies: BodyBudget
  /// The memory reserved for the body of the current request.
  private(set) var body: BodyReservation
  private let untrustedProxyWarning = OnceFlag()
  private let unreadableProxyWarning = OnceFlag()

  init(
    services: ServerServices, metrics: ServerMetrics, logger: Logger,
    readinessFreshness: Duration = DatabaseWatch.defaultFreshness, bodies: BodyBudget = BodyBudget()
  ) {
    self.services = services
    self.metrics = metrics
    self.logger = logger
    self.bodies = bodies
    body = BodyReservation(bodies)
    database = DatabaseWatch(services.ledger, logger, freshness: readinessFreshness)
  }

  /// Answers a request, counts it, and logs it without personal data.
  func respond(to request: Request, peer: Peer) async -> Response {
    let start = ContinuousClock.now
    let identifier = String(UInt64.random(in: 0 ... .max), radix: 16)
    let found = Endpoint.find(request.uri.path)
    var api = self
    api.body = BodyReservation(bodies)
    api.logger[metadataKey: "requestId"] = "\(identifier)"
    var response: Response
    var reason: String?
    do {
      response = try await api.process(request, found, peer)
    } catch {
      if !(error is Problem) { api.logger.error("defect", metadata: ["error": "\(type(of: error))"]) }
      let problem = error as? Problem ?? Problem(.internalError)
      reason = problem.reason
      response = problem.response
      metrics.count(refusal: problem.reason)
    }
    if request.method == .head { response.body = ResponseBody() }
    response.headers[named: "X-Request-Id"] = identifier
    let time = ContinuousClock.now - start
    metrics.count(found?.endpoint, response.status.code, time)
    var line: Logger.Metadata = [
      "method": "\(request.method.rawValue.prefix(16))", "endpoint": "\(found?.endpoint.rawValue ?? "none")",
      "status": "\(response.status.code)", "milliseconds": "\(Int(time / .milliseconds(1)))",
    ]
    if let reason { line["reason"] = "\(reason)" }
    api.logger.info("request", metadata: line)
    return response
  }

  private func process(
    _ request: Request, _ found: (endpoint: Endpoint, parameters: [String: String])?, _ peer: Peer
  ) async throws -> Response {
    guard request.head.namesOneHost else {
      throw Problem(
        .malformedRequest, "the request has no Host or several, expected exactly one", reason: "host")
    }
    noteForwarding(of: request, peer)
    guard let (endpoint, parameters) = found else {
      try admit(address(of: request, peer))
      throw Problem(.notFound)
    }
    guard endpoint.methods.contains(request.method) else {
      if endpoint.isLimited { try admit(address(of: request, peer), endpoint) }
      var problem = Problem(.methodNotAllowed)
      problem.allowed = endpoint.methods
      throw problem
    }
    let token = try await token(of: request, for: endpoint, peer)
    do {
      let response = try await dispatch(request, endpoint, parameters, token, peer)
      if request.method == .post { await database.noteSuccess() }
      return response
    } catch let error as LedgerError {
      database.note(error)
      throw Problem(error)
    }
  }

  /// Checks the token of a request, and counts the request against the limit of its account or address.
  ///
  /// - Returns: The token of the account; nil if the endpoint requires none and no valid token was sent.
  private func token(
    of request: Request, for endpoint: Endpoint, _ peer: Peer
  ) async throws -> AccountToken? {
    let text = bearer(of: request)
    switch endpoint.access {
    case .administrator:
      try admit(address(of: request, peer))
      guard let text else { throw Problem(.missingToken) }
      guard let admin = services.admin, admin.isEqual(to: text) else { throw Problem(.invalidToken) }
      return nil
    case .anyone, .account:
      var token: AccountToken?
      if let text, let valid = await services.tokens.check(text, now: services.now()),
        // The operator may have switched an environment off since the token was issued.
        services.verifier.acceptedEnvironments.contains(valid.environment)
      {
        token = valid
      }
      if endpoint.isLimited { try admit(token?.limitName ?? address(of: request, peer), endpoint) }
      guard endpoint.access == .account, token == nil else { return token }
      throw Problem(text == nil ? .missingToken : .invalidToken)
    }
  }

  private func bearer(of request: Request) -> String? {
    guard let value = request.headers[.authorization] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
  }

  private func admit(_ name: String, _ endpoint: Endpoint? = nil) throws(Problem) {
    guard let wait = services.limiter.admit(name) else { return }
    // Status 503 makes the App Store send the notification again.
    let kind: Problem.Kind = endpoint == .notifications ? .unavailable : .tooManyRequests
    var problem = Problem(kind, reason: Problem.Kind.tooManyRequests.rawValue)
    problem.retryAfter = wait
    throw problem
  }

  /// Warns once about an untrusted proxy, and once about a trusted proxy whose header cannot be parsed. All clients
  /// behind such a proxy count as one address.
  private func noteForwarding(of request: Request, _ peer: Peer) {
    guard let forwarded = request.headers[named: Self.forwardedFor] else { return }
    if !isTrusted(peer) {
      guard untrustedProxyWarning.isFirstUse() else { return }
      logger.warning(
        """
        a request with X-Forwarded-For came from an address that --trusted-proxy does not contain; if it is a proxy, all \
        its clients share one limit
        """
      )
    } else if Self.lastAddress(in: forwarded) == nil, unreadableProxyWarning.isFirstUse() {
      logger.warning(
        """
        the last element of X-Forwarded-For from a trusted proxy is not an IP address; all clients of the proxy share one \
        limit
        """
      )
    }
  }

  private static let forwardedFor = "X-Forwarded-For"

  private func isTrusted(_ peer: Peer) -> Bool {
    guard let connected = peer.address.flatMap({ NetworkAddress($0) }) else { return false }
    return services.trustedProxies.contains { $0.contains(connected) }
  }

  /// Returns the address or IPv6 network whose limit a request uses: the address that a trusted proxy forwards,
  /// otherwise the address of the connection.
  private func address(of request: Request, _ peer: Peer) -> String {
    guard let connected = peer.address.flatMap({ NetworkAddress($0) }) else { return "none" }
    guard isTrusted(peer), let forwarded = request.headers[named: Self.forwardedFor],
      let last = Self.lastAddress(in: forwarded)
    else { return connected.rateLimitNetwork.description }
    return last.rateLimitNetwork.description
  }

  /// Returns the last address of `X-Forwarded-For`; nil if it cannot be read. Each proxy appends the address of its
  /// client; the client may forge earlier elements.
  private static func lastAddress(in forwarded: String) -> NetworkAddress? {
    forwarded.split(separator: ",").last.flatMap {
      NetworkAddress(forwarded: String($0.trimming { $0 == " " }))
    }
  }
}

/// A flag that permits a warning once.
private final class OnceFlag: Sendable {
  private let isUsed = Atomic(false)

  /// Returns true on the first call only.
  func isFirstUse() -> Bool { !isUsed.exchange(true, ordering: .relaxed) }
}

extension HTTPRequest {
  /// Whether the request has exactly one `Host` (RFC 9112, section 3.2). HTTPTypes stores the first one as `authority`
  /// and any others in `headerFields`.
  var namesOneHost: Bool {
    guard authority != nil, let name = HTTPField.Name("Host") else { return false }
    return headerFields[name] == nil
  }
}

extension HTTPFields {
  /// The value of a field without a constant in HTTPTypes. Multiple values are joined as in RFC 9110.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}

extension Problem {
  static let noDatabase = "the database does not accept requests"
  static let noStore = "the store cannot be read"

  /// Converts an error of the ledger to a problem for the client.
  init(_ error: LedgerError) {
    switch error {
    case .invalid(let reason): self.init(.malformedRequest, reason)
    case .unavailable, .damaged, .cannotOpen, .cannotWrite, .newerSchema, .olderSchema, .unfinishedCopy:
      self.init(.unavailable, Self.noDatabase, reason: "database")
    }
  }
}
