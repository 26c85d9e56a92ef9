package import HTTPTransport
import Support
import Synchronization

/// A transport for requests about receipts and about the revocation of certificates.
package protocol PostTransport: Sendable {
  /// Sends a body once.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - type: The `Content-Type` of the body.
  ///   - address: The address of the server.
  ///   - end: The time at which the request fails, even while it waits in the queue.
  /// - Returns: The response, whatever its status.
  /// - Throws: `HTTPError` if there is no response.
  func post(
    _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
  ) async throws(HTTPError) -> PostResponse
}

/// An HTTP response.
package struct PostResponse: Sendable {
  /// The HTTP status code.
  package let status: Int
  /// The value of `Deprecation` (RFC 9745); nil unless the server announces the deprecation of the service.
  package let deprecation: String?
  package let body: [UInt8]

  package init(status: Int, deprecation: String? = nil, body: [UInt8]) {
    self.status = status
    self.deprecation = deprecation
    self.body = body
  }
}

/// Posts on its own threads, because the calls of `HTTPClient` block.
package final class HTTPPoster: PostTransport {
  /// A request, and the task that waits for its response.
  private final class Job: Sendable {
    let body: [UInt8]
    let type: String
    let address: HTTPAddress
    private let end: ContinuousClock.Instant
    private let continuation: Mutex<CheckedContinuation<Result<PostResponse, HTTPError>, Never>?>

    init(
      _ body: [UInt8], _ type: String, _ address: HTTPAddress, until end: ContinuousClock.Instant,
      _ continuation: CheckedContinuation<Result<PostResponse, HTTPError>, Never>
    ) {
      (self.body, self.type, self.address, self.end) = (body, type, address, end)
      self.continuation = Mutex(continuation)
    }

    /// Fails the request if its deadline has passed, even if the timer is late.
    ///
    /// - Returns: Whether the request failed.
    func failIfOverdue() -> Bool {
      guard end <= .now else { return false }
      finish(.failure(HTTPError(.unreachable, "\(address) does not answer in time")))
      return true
    }

    /// Delivers the response, or the failure, whichever is first.
    func finish(_ result: Result<PostResponse, HTTPError>) {
      continuation.withLock { $0.take() }?.resume(returning: result)
    }
  }

  private struct State {
    var waiting: [Job] = []
    var isClosed = false
  }

  /// The number of threads, which is the maximum number of concurrent requests.
  private static let threadCount = 8
  /// The maximum number of waiting requests.
  private static let maximumWaitingCount = 256
  /// The maximum size of a response, in bytes. Responses about receipts have a few thousand bytes for each purchase.
  private static let maximumResponseSize: Int64 = 8 << 20
  /// The time without data after which a request fails. It is short because a client waits for the result.
  private static let stallTimeout = Duration.seconds(8)

  private let state: Monitor<State>
  private let cancellation: Cancellation
  private let workers: [BackgroundThread]

  /// Starts the threads.
  ///
  /// - Throws: `.exhausted` if the system cannot start any thread.
  package init(_ settings: HTTPSettings = .fromEnvironment()) throws(HTTPError) {
    let cancellation = Cancellation()
    let client = HTTPClient(settings, cancellation: cancellation)
    let state = Monitor(State())
    workers = (0..<Self.threadCount).compactMap { _ in
      BackgroundThread.start {
        while let job = Self.next(state) {
          if !job.failIfOverdue() { job.finish(Self.post(job, client)) }
        }
      }
    }
    guard !workers.isEmpty else { throw HTTPError(.exhausted, "the system cannot start a network thread") }
    self.state = state
    self.cancellation = cancellation
  }

  deinit {
    cancellation.cancel()
    state.update { $0.isClosed = true }
    for worker in workers { worker.join() }
  }

  package func post(
    _ body: [UInt8], as type: String, to address: HTTPAddress, until end: ContinuousClock.Instant
  ) async throws(HTTPError) -> PostResponse {
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    return try await withCheckedContinuation { continuation in
      let job = Job(body, type, address, until: end, continuation)
      timer = Task { [state] in
        do { try await Task.sleep(until: end, clock: .continuous) } catch { return }
        state.update { state in state.waiting.removeAll { $0 === job } }
        _ = job.failIfOverdue()
      }
      let isQueued = state.update { state in
        guard state.waiting.count < Self.maximumWaitingCount else { return false }
        state.waiting.append(job)
        return true
      }
      if !isQueued {
        job.finish(.failure(HTTPError(.exhausted, "too many requests to Apple's servers are waiting")))
      }
    }.get()
  }

  private static func next(_ state: Monitor<State>) -> Job? {
    state.wait { state -> Job?? in
      guard state.waiting.isEmpty else { return .some(state.waiting.removeFirst()) }
      return state.isClosed ? .some(nil) : nil
    }
  }

  private static func post(_ job: Job, _ client: HTTPClient) -> Result<PostResponse, HTTPError> {
    var request = HTTPRequest(
      .post, job.address, headers: [HTTPHeader("Content-Type", job.type)], body: HTTPBody(job.body))
    request.bodyLimit = maximumResponseSize
    request.stallTimeout = stallTimeout
    do {
      let response = try client.open(request)
      return .success(
        PostResponse(
          status: response.head.status, deprecation: response.head["deprecation"], body: try response.body()))
    } catch let error as HTTPError {
      return .failure(error)
    } catch {
      return .failure(HTTPError(.unreachable, "the request was interrupted"))
    }
  }
}
