import Foundation
import HTTPTransport
import Support

/// Sends requests to the server, and retries those that may succeed later. Blocks its thread.
struct ServiceConnection: Sendable {
  /// The maximum size of a response in bytes.
  private static let maximumAnswerSize = 16 << 20

  private let address: HTTPAddress

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

  /// - Throws: `Problem` if the server refuses the request, `ServiceError` if it cannot be reached or does not follow the
  ///   API, `Interruption`.
  func send<Answer: Decodable>(
    _ method: HTTPRequest.Method, _ path: [String], body: (some Encodable)? = Never?.none,
    token: String? = nil, _ cancellation: Cancellation
  ) throws -> Answer {
    let place = path.map { "/" + PercentEncoding.encode($0) }.joined()
    var request = HTTPRequest(method, address.with(path: address.path + place))
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
      let answer = try client.open(request)
      let error = answer.head.error(request.address, now: Int64(Date().timeIntervalSince1970))
      if !answer.head.isSuccess, error.isTransient { throw error }
      return (answer.head.status, Data(try answer.body(atMost: Self.maximumAnswerSize)))
    }
  }

  private static func decode<Answer: Decodable>(_ status: Int, _ bytes: Data) throws -> Answer {
    guard status == 200 else {
      // A proxy in between has error responses of another format.
      throw (try? JSONDecoder().decode(Problem.self, from: bytes)) as (any Error)?
        ?? ServiceError.unexpectedAnswer(status: status)
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: bytes)
    } catch {
      throw ServiceError.unexpectedAnswer(status: status)
    }
  }
}

/// A failure to talk to the server.
public enum ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The address of the server is not valid; the text says why.
  case invalidAddress(String)
  /// The stored token has characters that no token may have.
  case invalidToken
  /// The server cannot be reached, or failed after all retries; the text says how.
  case unreachable(String)
  /// The response does not follow the API.
  case unexpectedAnswer(status: Int)
  /// There is neither a token nor a purchase to renew it with: the customer must buy or restore something.
  case noAccount

  /// One lower-case sentence without a full stop, safe to print.
  public var description: String {
    switch self {
    case .invalidAddress(let reason): "the address of the server is not valid: \(reason)"
    case .invalidToken: "the stored token has a character that none may have"
    case .unreachable(let reason): reason
    case .unexpectedAnswer(let status):
      "the server answered with status \(status), expected an answer of the API"
    case .noAccount: "the app has no purchase that the server knows; buy or restore one"
    }
  }
}
