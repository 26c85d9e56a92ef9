import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// The reason for rejecting a request, in the form of RFC 9457.
struct Problem: Error, Sendable {
  /// The kind of a problem. The raw values are part of the API and must not change.
  enum Kind: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case missingToken = "missing-token"
    case invalidToken = "invalid-token"
    case notEntitled = "not-entitled"
    case forbidden = "forbidden"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case conflict = "conflict"
    case insufficientBalance = "insufficient-balance"
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal-error"
    case unavailable = "unavailable"

    var status: HTTPResponse.Status {
      switch self {
      case .malformedRequest: .badRequest
      case .missingToken, .invalidToken: .unauthorized
      case .notEntitled, .forbidden: .forbidden
      case .notFound: .notFound
      case .methodNotAllowed: .methodNotAllowed
      case .conflict, .insufficientBalance: .conflict
      case .tooLarge: .contentTooLarge
      case .unsupportedMediaType: .unsupportedMediaType
      case .tooManyRequests: .tooManyRequests
      case .internalError: .internalServerError
      case .unavailable: .serviceUnavailable
      }
    }

    var title: String {
      switch self {
      case .malformedRequest: "The request is malformed"
      case .missingToken: "A token is required"
      case .invalidToken: "The token is not valid"
      case .notEntitled: "The account has not bought this product"
      case .forbidden: "The token does not allow this"
      case .notFound: "The resource does not exist"
      case .methodNotAllowed: "The method is not allowed here"
      case .conflict: "The request contradicts an earlier one"
      case .insufficientBalance: "The balance is too small"
      case .tooLarge: "The request is too large"
      case .unsupportedMediaType: "The body must be JSON"
      case .tooManyRequests: "There were too many requests"
      case .internalError: "The server has a defect"
      case .unavailable: "The server cannot answer this request now"
      }
    }
  }

  let kind: Kind
  /// One sentence about the case, without secret or personal data.
  let detail: String?
  /// The name in logs and metrics: the name of the kind unless a more specific one is given.
  let reason: String
  /// The available amount of a balance that is too small for the request.
  var balance: Int64?
  /// The time after which a retry makes sense, in seconds.
  var retryAfter: Int?
  /// The allowed methods, if the request used a different one.
  var allowed: [HTTPRequest.Method] = []

  init(_ kind: Kind, _ detail: String? = nil, reason: String? = nil) {
    self.kind = kind
    self.reason = reason ?? kind.rawValue
    self.detail = detail
    retryAfter = kind == .unavailable ? 5 : nil
  }

  static let contentType = "application/problem+json"

  var response: Response {
    var writer = JSONWriter()
    writer.object {
      $0.member("type", "urn:iapkg:problem:\(kind.rawValue)")
      $0.member("title", kind.title)
      $0.member("status", Int64(kind.status.code))
      if let detail { $0.member("detail", detail) }
      if let balance { $0.member("balance", balance) }
    }
    var fields: HTTPFields = [.contentType: Self.contentType, .cacheControl: "no-store"]
    if let retryAfter { fields[.retryAfter] = String(retryAfter) }
    if kind == .missingToken { fields[.wwwAuthenticate] = "Bearer" }
    if kind == .invalidToken { fields[.wwwAuthenticate] = "Bearer error=\"invalid_token\"" }
    if !allowed.isEmpty { fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ") }
    return Response(
      status: kind.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.line())))
  }
}
