import ContentPackage
package import Support
import Synchronization

/// Sends requests: follows redirections, and falls back to HTTP/1.1 where HTTP/2 fails.
package final class HTTPClient: Sendable {
  /// The number of errors of HTTP/2 after which the client speaks only HTTP/1.1.
  private static let toleratedStreamErrors = 2

  private let transport: HTTPTransport
  private let streamErrors = Atomic<Int>(0)
  package let retries: RetryPolicy
  package let cancellation: Cancellation
  private let pauseRequest: PauseRequest

  /// - Throws: `.exhausted` if the system has no thread for it.
  package init(_ settings: HTTPSettings, cancellation: Cancellation) throws(HTTPError) {
    transport = try HTTPTransport(settings)
    retries = settings.retries
    self.cancellation = cancellation
    pauseRequest = settings.pauseRequest
  }

  /// The same connections, for what is to be done after a cancellation too, once and without waiting.
  init(finishing other: HTTPClient) {
    transport = other.transport
    var retries = RetryPolicy()
    retries.attempts = 1
    self.retries = retries
    cancellation = Cancellation()
    pauseRequest = other.pauseRequest
  }

  /// Does `work`, and does it again as long as it fails for a reason that passes, or because transfers are paused.
  ///
  /// - Throws: as `RetryPolicy.run`.
  package func retrying<Result>(_ work: (_ errors: AttemptCount) throws -> Result) throws -> Result {
    try retries.run(cancellation) { errors in
      while true {
        pauseRequest.waitUntilResumed(cancellation)
        try cancellation.check()
        do { return try work(errors) } catch is TransferPaused {}
      }
    }
  }

  /// Sends a request once, and hands on what comes of the answer's body, on the calling thread.
  ///
  /// `onHead` sees the header before any byte of the body; it throws to do without that.
  ///
  /// - Returns: the header; any status is an answer.
  /// - Throws: `HTTPError`, `Interruption`, and whatever the closures throw.
  @discardableResult
  package func send(
    _ request: HTTPRequest, onHead: (HTTPHead) throws -> Void = { _ in },
    onBytes: (RawSpan) throws -> Void = { _ in }
  ) throws -> HTTPHead {
    let allowsStreams = streamErrors.load(ordering: .relaxed) < Self.toleratedStreamErrors
    do {
      return try transport.send(
        request, allowsStreams: allowsStreams, cancellation, onHead: onHead, onBytes: onBytes)
    } catch let error as HTTPError where error.reason == .stream {
      streamErrors.add(1, ordering: .relaxed)
      throw error
    }
  }

  /// Sends a request for something that is only read, and follows where the answers lead.
  ///
  /// The request's headers stay with its host; another gets only those that say what is wanted.
  @discardableResult
  package func follow(
    _ request: HTTPRequest, onHead: (HTTPHead) throws -> Void = { _ in },
    onBytes: (RawSpan) throws -> Void = { _ in }
  ) throws -> HTTPHead {
    var request = request
    for _ in 0...HTTPLimits.redirects {
      var next: HTTPAddress?
      let head = try send(request) { head in
        next = try Self.redirection(head, of: request)
        if next == nil { try onHead(head) }
      } onBytes: { bytes in
        if next == nil { try onBytes(bytes) }
      }
      guard let next else { return head }
      if next.origin != request.address.origin {
        request.headers.removeAll { !Self.harmlessHeaders.contains($0.name.lowercased()) }
      }
      request.address = next
    }
    throw HTTPError(
      .redirect, "\(request.address) redirects once more, expected at most \(HTTPLimits.redirects) times")
  }

  private static let harmlessHeaders: Set = ["accept", "if-match", "if-none-match", "cache-control"]

  /// Where an answer leads, or nil if it is none that leads on.
  static func redirection(_ head: HTTPHead, of request: HTTPRequest) throws -> HTTPAddress? {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head["location"] else { return nil }
    let next: HTTPAddress
    do throws(HTTPError) {
      next = try request.address.following(location)
    } catch {
      throw HTTPError(.redirect, "\(request.address) redirects to where it must not: \(error.message)")
    }
    guard next.isEncrypted || !request.address.isEncrypted else {
      throw HTTPError(
        .redirect, "\(request.address) redirects from https to \(next), which is not encrypted")
    }
    return next
  }
}
