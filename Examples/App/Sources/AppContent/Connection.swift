import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to the server, and retries those that may succeed later.
struct Connection: Sendable {
  private let server: URL
  private let retry: Retry
  private let session: URLSession

  init(to server: URL, retry: Retry) {
    self.server = server
    self.retry = retry
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 30
    session = URLSession(configuration: configuration)
  }

  /// - Throws: `Problem` if the server refuses the request, `URLError` if it cannot be reached, `UnexpectedAnswer`.
  func send<Answer: Decodable>(
    _ method: String, _ path: [String], body: (some Encodable)? = Never?.none, token: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: path.reduce(server) { $0.appendingPathComponent($1) })
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    return try decode(try await persistently(request))
  }

  private typealias Received = (data: Data, head: HTTPURLResponse)

  private func persistently(_ request: URLRequest) async throws -> Received {
    var attempt = 1
    while true {
      var asked: Double?
      do {
        let (data, head) = try await session.data(for: request)
        guard let head = head as? HTTPURLResponse else { throw UnexpectedAnswer(status: 0) }
        if attempt == retry.attempts || !Retry.isTransient(status: head.statusCode) { return (data, head) }
        asked = head.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
      } catch let error as URLError where attempt < retry.attempts && Retry.isTransient(error) {
        asked = nil
      }
      try await Task.sleep(for: .seconds(retry.wait(after: attempt, asked: asked)))
      attempt += 1
    }
  }

  private func decode<Answer: Decodable>(_ received: Received) throws -> Answer {
    let status = received.head.statusCode
    if status == 200 { return try JSONDecoder().decode(Answer.self, from: received.data) }
    // A proxy in between has error responses of another format.
    throw (try? JSONDecoder().decode(Problem.self, from: received.data)) as (any Error)?
      ?? UnexpectedAnswer(status: status)
  }
}

/// A response that does not follow the API.
struct UnexpectedAnswer: Error, CustomStringConvertible {
  let status: Int

  var description: String { "the server answered with status \(status), expected an answer of the API" }
}
