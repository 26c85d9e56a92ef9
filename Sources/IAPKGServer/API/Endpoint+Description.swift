/// A successful response of an endpoint.
struct DescribedResponse {
  let status: Int
  let meaning: String
  /// The content types; empty if the response has no content.
  var types: [String] = []
  /// The name of the content's schema in `OpenAPI.schemas`.
  var schema: String?
  /// Whether the response answers `Range`, which applies only to GET.
  var isForRange = false
}

/// An error response of an endpoint, by status.
enum ErrorResponse: Int, CaseIterable {
  case badRequest = 400
  case unauthorized = 401
  case notEntitled = 403
  case notFound = 404
  case conflict = 409
  case tooLarge = 413
  case unsupportedMediaType = 415
  case tooManyRequests = 429
  case internalError = 500
  case unavailable = 503

  /// The name of the response in `components.responses`.
  var component: String {
    let name = "\(self)"
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  var meaning: String {
    switch self {
    case .badRequest: "The request has no Host or several, or its body is malformed or has an invalid value."
    case .unauthorized: "The token is missing or invalid."
    case .notEntitled: "The account has not bought the product, or the token does not permit the request."
    case .notFound: "The requested resource does not exist."
    case .conflict: "The balance is too small, or another request has the same requestId."
    case .tooLarge: "The body is too large."
    case .unsupportedMediaType: "The body is not JSON."
    case .tooManyRequests:
      "There were too many requests; Retry-After is the number of seconds until the next request is permitted."
    case .internalError: "The server has a defect."
    case .unavailable: "The server cannot answer this request now; a retry may succeed."
    }
  }
}

extension Endpoint.Access {
  /// The name of the security scheme; nil if the endpoint requires no token.
  var scheme: String? {
    switch self {
    case .anyone: nil
    case .account: "account"
    case .administrator: "administrator"
    }
  }
}

extension Endpoint {
  var summary: String {
    switch self {
    case .products: "The products of the catalog."
    case .transactions: "Present purchases and get a token."
    case .entitlements: "The entitlements and balances of the account."
    case .catalog: "The catalog of the store."
    case .trust: "A trust document of the store, which names its keys."
    case .productReleases: "The releases of a product."
    case .release: "A package or its index, for entitled accounts."
    case .spend: "Spend an amount, once for each requestId."
    case .notifications: "App Store Server Notifications, version 2."
    case .account: "The state and the newest ledger entries of an account."
    case .grant: "Grant a product or an amount."
    case .revoke: "Revoke a product or an amount."
    case .health: "Whether the process is running."
    case .readiness: "Whether the database and the store answer."
    case .metrics: "The metrics for Prometheus."
    case .description: "This document."
    }
  }

  /// The parameters of the path, in order.
  var parameters: [(name: String, meaning: String)] {
    switch self {
    case .trust: [("name", "The number of the document, followed by .json.")]
    case .productReleases, .release: [("productId", "The product."), ("name", "The name of the object.")]
    case .spend: [("balance", "The name of the balance.")]
    case .account, .grant, .revoke:
      [
        (
          "accountId",
          "The account: its identifier, its signed appAccountToken, or the transaction identifier of a purchase."
        )
      ]
    default: []
    }
  }

  /// The name of the schema of the request body.
  var requestSchema: String? {
    switch self {
    case .transactions: "Submission"
    case .spend: "Spending"
    case .notifications: "Notification"
    case .grant, .revoke: "Adjustment"
    default: nil
    }
  }

  var responses: [DescribedResponse] {
    switch self {
    case .products:
      [
        .json("The products.", "ProductList"),
        .init(status: 304, meaning: "The list matches If-None-Match."),
      ]
    case .catalog, .trust, .productReleases, .release: Self.objectResponses
    case .transactions: [.json("The result of each purchase.", "Presentation")]
    case .entitlements: [.json("The entitlements and balances.", "Holdings")]
    case .spend: [.json("The remaining balance.", "Spent")]
    case .notifications: [.json("The notification is recorded.", "Recorded")]
    case .account: [.json("The account.", "Account")]
    case .grant, .revoke: [.json("The entitlements and balances after the change.", "Adjusted")]
    case .health: [.json("The process is running.", "Status")]
    case .readiness: [.json("The database and the store answer.", "Status")]
    case .metrics: [.init(status: 200, meaning: "Text format 0.0.4.", types: ["text/plain"])]
    case .description: [.json("The document.", nil)]
    }
  }

  /// The responses for an object of the store or a range of it.
  private static var objectResponses: [DescribedResponse] {
    let types = ["application/octet-stream", "application/json"]
    return [
      .init(status: 200, meaning: "The object.", types: types),
      .init(
        status: 206, meaning: "The range of the object that Range requests.", types: types, isForRange: true),
      .init(status: 304, meaning: "The object matches If-None-Match."),
      .init(status: 307, meaning: "The object is available at Location for 15 minutes."),
      .init(status: 416, meaning: "The range is outside the object.", isForRange: true),
    ]
  }

  var errors: [ErrorResponse] {
    var errors = [ErrorResponse.badRequest]
    if requestSchema != nil { errors += [.tooLarge, .unsupportedMediaType] }
    if access.scheme != nil { errors.append(.unauthorized) }
    if self == .release || self == .spend { errors.append(.notEntitled) }
    if self == .catalog || !parameters.isEmpty { errors.append(.notFound) }
    if [.spend, .grant, .revoke].contains(self) { errors.append(.conflict) }
    if isLimited { errors.append(.internalError) }
    if isLimited && self != .notifications { errors.append(.tooManyRequests) }
    if isLimited || self == .readiness { errors.append(.unavailable) }
    return errors.sorted { $0.rawValue < $1.rawValue }
  }
}

extension DescribedResponse {
  fileprivate static func json(_ meaning: String, _ schema: String?) -> DescribedResponse {
    DescribedResponse(status: 200, meaning: meaning, types: ["application/json"], schema: schema)
  }
}
