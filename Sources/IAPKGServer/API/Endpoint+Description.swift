/// A successful answer of an endpoint.
struct DescribedAnswer {
  let status: Int
  let meaning: String
  /// The content types; empty if the answer has no content.
  var types: [String] = []
  /// The name of the content's schema in `OpenAPI.schemas`.
  var schema: String?
}

/// An error answer of an endpoint, by status.
enum ErrorAnswer: Int, CaseIterable {
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
    case .badRequest: "The body is not what is expected."
    case .unauthorized: "The token is missing or not valid."
    case .notEntitled: "The account has not bought the product, or the token is not for this."
    case .notFound: "There is no such thing."
    case .conflict: "The balance is too small, or another request had this requestId."
    case .tooLarge: "The body is too large."
    case .unsupportedMediaType: "The body is not JSON."
    case .tooManyRequests: "There were too many requests; Retry-After gives the time until the next one."
    case .internalError: "The server has a defect."
    case .unavailable: "The server cannot do this now; it may be asked again."
    }
  }
}

extension Endpoint.Access {
  /// The name of the security scheme.
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
    case .transactions: "Present purchases, and get a token."
    case .entitlements: "The entitlements and balances of the account."
    case .catalog: "The catalog of the store."
    case .trust: "A trust document of the store, which names its keys."
    case .productReleases: "The releases of a product."
    case .release: "A package or its index, for entitled accounts."
    case .spend: "Spend, once for each requestId."
    case .notifications: "App Store Server Notifications, version 2."
    case .account: "The state and the newest ledger entries of an account."
    case .grant: "Give a product or an amount."
    case .revoke: "Take a product or an amount away."
    case .health: "Whether the process runs."
    case .readiness: "Whether database and store answer."
    case .metrics: "What the server counts, for Prometheus."
    case .description: "This document."
    }
  }

  /// The parameters of the path, in order.
  var parameters: [(name: String, meaning: String)] {
    switch self {
    case .trust: [("name", "The number of the document, and .json.")]
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

  var answers: [DescribedAnswer] {
    switch self {
    case .products:
      [
        .json("The products.", "ProductList"),
        .init(status: 304, meaning: "It is the list that If-None-Match names."),
      ]
    case .catalog, .trust, .productReleases, .release: Self.objectAnswers
    case .transactions: [.json("The result of each purchase.", "Presentation")]
    case .entitlements: [.json("The entitlements and balances.", "Holdings")]
    case .spend: [.json("What remains.", "Spent")]
    case .notifications: [.json("It is entered.", "Recorded")]
    case .account: [.json("The account.", "Account")]
    case .grant, .revoke: [.json("The entitlements and balances after the change.", "Adjusted")]
    case .health: [.json("It does.", "Status")]
    case .readiness: [.json("They do.", "Status")]
    case .metrics: [.init(status: 200, meaning: "Text format 0.0.4.", types: ["text/plain"])]
    case .description: [.json("The document.", nil)]
    }
  }

  /// The answers for an object of the store, or a part of it.
  private static var objectAnswers: [DescribedAnswer] {
    let types = ["application/octet-stream", "application/json"]
    return [
      .init(status: 200, meaning: "The object.", types: types),
      .init(status: 206, meaning: "The part that Range asks for.", types: types),
      .init(status: 304, meaning: "It is the one that If-None-Match names."),
      .init(status: 307, meaning: "It is at Location for 15 minutes."),
      .init(status: 416, meaning: "No byte of it is in the range."),
    ]
  }

  var errors: [ErrorAnswer] {
    var errors: [ErrorAnswer] = []
    if requestSchema != nil { errors += [.badRequest, .tooLarge, .unsupportedMediaType] }
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

extension DescribedAnswer {
  fileprivate static func json(_ meaning: String, _ schema: String?) -> DescribedAnswer {
    DescribedAnswer(status: 200, meaning: meaning, types: ["application/json"], schema: schema)
  }
}
