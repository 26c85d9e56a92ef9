import Foundation
import HTTPTransport
import Support

/// A connection to the server, which retries requests that may succeed later. All calls block their thread.
struct ServiceConnection: Sendable {
  /// The maximum size of a response in bytes.
  private static let maximumResponseSize = 16 << 20

  private let address: HTTPAddress

  /// Creates a connection without contacting the server.
  ///
  /// - Throws: `ServiceError.invalidAddress`.
  init(to server: URL) throws {
    do throws(HTTPError) {
      let address = try HTTPAddress(server.absoluteString)
      self.address =
        address.path.hasSuffix("/") ? address.with(path: String(address.path.dropLast())) : address
    } catch {
      throw ServiceError.invalidAddress(error.message)
    }
  }

  /// Sends a request and returns the decoded response.
  ///
  /// - Throws: `Problem` if the server refuses the request; `ServiceError` if the token has an invalid character, or if
  ///   the server cannot be reached or does not follow the API; `Interruption`.
  func send<Response: Decodable>(
    _ method: HTTPRequest.Method, _ path: [String], body: (some Encodable)? = Never?.none,
    token: String? = nil, _ cancellation: Cancellation
  ) throws -> Response {
    let encodedPath = path.map { "/" + PercentEncoding.encode($0) }.joined()
    var request = HTTPRequest(method, address.with(path: address.path + encodedPath))
    if let token {
      guard let header = HTTPHeader.bearer(token) else { throw ServiceError.invalidToken }
      request.headers.append(header)
    }
    if let body {
      request.headers.append(HTTPHeader("Content-Type", "application/json"))
      request.body = HTTPBody(Array(try JSONEncoder().encode(body)))
    }
    do {
      let (status, bytes) = try received(request, cancellation)
      return try Self.decode(status, bytes)
    } catch let error as HTTPError {
      throw ServiceError.unreachable(error.message)
    }
  }

  private func received(
    _ request: HTTPRequest, _ cancellation: Cancellation
  ) throws -> (status: Int, bytes: Data) {
    let client = HTTPClient(HTTPSettings.fromEnvironment(), cancellation: cancellation)
    return try client.retrying {
      let response = try client.open(request)
      let error = response.head.error(request.address, now: Int64(Date().timeIntervalSince1970))
      if !response.head.isSuccess, error.isTransient { throw error }
      return (response.head.status, Data(try response.body(atMost: Self.maximumResponseSize)))
    }
  }

  private static func decode<Response: Decodable>(_ status: Int, _ bytes: Data) throws -> Response {
    guard status == 200 else {
      // The error responses of a proxy have another format.
      throw (try? JSONDecoder().decode(Problem.self, from: bytes)) as (any Error)?
        ?? ServiceError.unexpectedResponse(status: status)
    }
    do {
      return try JSONDecoder().decode(Response.self, from: bytes)
    } catch {
      throw ServiceError.unexpectedResponse(status: status)
    }
  }
}

/// A failure to communicate with the server.
public enum ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The address of the server is not valid; the text gives the reason.
  case invalidAddress(String)
  /// The stored token contains invalid characters.
  case invalidToken
  /// The server cannot be reached, or still fails after all retries; the text describes the failure.
  case unreachable(String)
  /// The response does not follow the API.
  case unexpectedResponse(status: Int)
  /// There is neither a token nor a purchase that can renew it: the customer must buy or restore a product.
  case noAccount

  /// One lower-case sentence without a full stop, safe to print.
  public var description: String {
    switch self {
    case .invalidAddress(let reason): "the address of the server is not valid: \(reason)"
    case .invalidToken: "the stored token contains an invalid character"
    case .unreachable(let reason): reason
    case .unexpectedResponse(let status):
      "the server responded with status \(status), expected a response of the API"
    case .noAccount: "the app has no purchase that the server knows; buy or restore one"
    }
  }
}
