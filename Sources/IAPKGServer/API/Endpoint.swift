import HTTPTypes

import enum HTTPTransport.PercentEncoding

/// An endpoint of the server. `openapi.json` describes the same endpoints.
enum Endpoint: String, CaseIterable, Sendable {
  case products, transactions, entitlements, catalog, trust, productReleases, release, spend, notifications
  case account, grant, revoke
  case health, readiness, metrics, description

  /// The path, with the names of its parameters in braces.
  var path: String {
    switch self {
    case .products: "/v1/products"
    case .transactions: "/v1/transactions"
    case .entitlements: "/v1/entitlements"
    case .catalog: "/v1/store/catalog.json"
    case .trust: "/v1/store/trust/{name}"
    case .productReleases: "/v1/store/products/{productId}/{name}"
    case .release: "/v1/store/releases/{productId}/{name}"
    case .spend: "/v1/balances/{balance}/spend"
    case .notifications: "/v1/notifications"
    case .account: "/v1/admin/accounts/{accountId}"
    case .grant: "/v1/admin/accounts/{accountId}/grant"
    case .revoke: "/v1/admin/accounts/{accountId}/revoke"
    case .health: "/healthz"
    case .readiness: "/readyz"
    case .metrics: "/metrics"
    case .description: "/openapi.json"
    }
  }

  var methods: [HTTPRequest.Method] {
    switch self {
    case .transactions, .spend, .notifications, .grant, .revoke: [.post]
    case .products, .catalog, .trust, .productReleases, .release, .health, .readiness: [.get, .head]
    case .entitlements, .account, .metrics, .description: [.get]
    }
  }

  /// The access that an endpoint requires.
  enum Access: Sendable {
    case anyone
    /// Requires a token of an account.
    case account
    /// Requires the administrators' token.
    case administrator
  }

  var access: Access {
    switch self {
    case .entitlements, .catalog, .trust, .productReleases, .release, .spend: .account
    case .account, .grant, .revoke: .administrator
    case .products, .transactions, .notifications, .health, .readiness, .metrics, .description: .anyone
    }
  }

  /// Whether requests count against the limit of their account or address. Only endpoints for monitoring do not count.
  var isLimited: Bool {
    switch self {
    case .health, .readiness, .metrics: false
    default: true
    }
  }

  /// Returns the endpoint of a path, and the decoded values of its parameters; nil if no endpoint has the path.
  static func find(_ path: String) -> (endpoint: Endpoint, parameters: [String: String])? {
    let parts = parts(of: path)
    for endpoint in allCases {
      if let parameters = match(parts, patterns[endpoint] ?? []) { return (endpoint, parameters) }
    }
    return nil
  }

  private static let patterns = Dictionary(uniqueKeysWithValues: allCases.map { ($0, parts(of: $0.path)) })

  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func match(_ parts: [Substring], _ pattern: [Substring]) -> [String: String]? {
    guard parts.count == pattern.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, expected) in zip(parts, pattern) {
      if expected.hasPrefix("{") {
        guard !part.isEmpty, let text = PercentEncoding.decodePath(part) else { return nil }
        parameters[String(expected.dropFirst().dropLast())] = text
      } else if part != expected {
        return nil
      }
    }
    return parameters
  }
}
