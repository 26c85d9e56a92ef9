package import Support

/// Sends requests, follows redirects, and retries after transient errors.
package final class HTTPClient: Sendable {
  private let pool: HTTPConnectionPool
  package let retries: RetryPolicy
  package let cancellation: Cancellation
  private let pauseRequest: PauseRequest

  /// The minimum progress of the settings.
  var minimumProgress: Int64 { pool.settings.minimumProgress }

  /// Creates a client with its own connections.
  package init(_ settings: HTTPSettings, cancellation: Cancellation) {
    pool = HTTPConnectionPool(settings)
    retries = settings.retries
    self.cancellation = cancellation
    pauseRequest = settings.pauseRequest
  }

  /// Creates a client for cleanup after a cancellation, which uses the connections of `other` and makes a single
  /// attempt.
  package init(finishing other: HTTPClient) {
    pool = other.pool
    var retries = RetryPolicy()
    retries.attempts = 1
    self.retries = retries
    cancellation = Cancellation()
    pauseRequest = other.pauseRequest
  }

  /// Performs `work`, and repeats it after transient errors and pauses of the transfers.
  ///
  /// - Throws: The errors of `RetryPolicy.run`.
  package func retrying<Result>(_ work: () throws -> Result) throws -> Result {
    try retries.run(cancellation) {
      while true {
        pauseRequest.waitUntilResumed(cancellation)
        try cancellation.check()
        do { return try work() } catch is TransferPaused {}
      }
    }
  }

  /// The retries of a new task that consists of several requests.
  package var retry: Retry { Retry(retries, cancellation) }

  /// Sends a request once, and waits for the header of the response.
  ///
  /// - Throws: `HTTPError`, `Interruption`; `TransferPaused`, which `retrying` handles.
  package func open(_ request: HTTPRequest) throws -> HTTPResponse {
    try cancellation.check()
    return try HTTPResponse(from: HTTPConnection(request, over: pool, cancellation))
  }

  /// Sends a read request and follows redirects.
  ///
  /// The headers of the request are sent to its origin only; other origins receive just `crossOriginHeaders`.
  ///
  /// - Throws: The errors of `open`.
  package func openFollowing(_ request: HTTPRequest) throws -> HTTPResponse {
    var request = request
    for _ in 0...HTTPLimits.maximumRedirectCount {
      let response = try open(request)
      guard let next = try Self.redirection(response.head, of: request) else { return response }
      try response.skipBody()
      if next.origin != request.address.origin {
        request.headers.removeAll { !Self.crossOriginHeaders.contains($0.name.lowercased()) }
      }
      request.address = next
    }
    throw HTTPError(
      .redirect,
      "\(request.address) redirects again after the maximum of \(HTTPLimits.maximumRedirectCount) redirects")
  }

  private static let crossOriginHeaders: Set = ["accept", "if-match", "if-none-match", "cache-control"]

  /// Returns the target of a redirect; nil for any other response.
  static func redirection(_ head: HTTPHead, of request: HTTPRequest) throws -> HTTPAddress? {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head["location"], !location.isEmpty
    else { return nil }
    let next: HTTPAddress
    do throws(HTTPError) {
      next = try request.address.following(location)
    } catch {
      throw HTTPError(.redirect, "\(request.address) redirects to an invalid address: \(error.message)")
    }
    guard next.isEncrypted || !request.address.isEncrypted else {
      throw HTTPError(
        .redirect, "\(request.address) redirects from https to \(next), which is not encrypted")
    }
    return next
  }
}
