import ContentPackage
import HTTPTransport
import Support
import Synchronization

/// Sends signed requests to one bucket, retries transient errors, and adjusts to the clock of the store.
final class S3Client: Sendable {
  let location: S3Location
  private let address: HTTPAddress
  private let signer: RequestSigner
  private let http: HTTPClient
  /// The current time in seconds since 1970.
  private let now: @Sendable () -> Int64
  /// The seconds by which the store's clock is ahead of the local clock.
  private let skew: Atomic<Int64>
  let clock: StoreClock

  /// Creates a client without contacting the bucket.
  ///
  /// - Throws: `HTTPError` for an invalid endpoint.
  init(
    _ location: S3Location, _ settings: S3Settings, _ network: HTTPSettings, cancellation: Cancellation,
    now: @escaping @Sendable () -> Int64
  ) throws(HTTPError) {
    self.location = location
    address = try location.address(settings)
    signer = RequestSigner(settings.credentials, region: settings.region)
    var network = network
    network.retries.attempts = settings.maximumAttemptCount ?? network.retries.attempts
    http = HTTPClient(network, cancellation: cancellation)
    self.now = now
    skew = Atomic(0)
    clock = StoreClock()
  }

  /// Creates a client for cleanup after a cancellation: a single attempt, without waiting.
  private init(forCleanupAfter other: S3Client) {
    location = other.location
    address = other.address
    signer = other.signer
    http = HTTPClient(finishing: other.http)
    now = other.now
    skew = Atomic(other.skew.load(ordering: .relaxed))
    clock = other.clock
  }

  var forCleanup: S3Client { S3Client(forCleanupAfter: self) }
  var cancellation: Cancellation { http.cancellation }
  /// See `Store.retry`. `AWS_MAX_ATTEMPTS` limits the attempts of a request, but not how often a damaged object
  /// is read again.
  var retry: Retry {
    var policy = http.retries
    policy.attempts = RetryPolicy().attempts
    return Retry(policy, cancellation)
  }

  /// The current time of the store's clock.
  var time: Int64 { now() + skew.load(ordering: .relaxed) }

  /// Sends a request with retries; calls `uncertain` after an error that leaves open whether the store performed the
  /// request.
  ///
  /// - Throws: `StoreError`.
  func send(_ request: S3Request, uncertain: () -> Void = {}) throws(StoreError) -> S3Response {
    try asStoreError(request.key) {
      try http.retrying {
        do {
          return try sendOnce(request)
        } catch let error as HTTPError where error.isTransient {
          uncertain()
          throw error
        }
      }
    }
  }

  /// Sends a request with retries, each attempt only if `isDue` returns true.
  ///
  /// - Returns: The response; nil if the last attempt was not due.
  /// - Throws: `StoreError`, `Interruption`, and the errors of `isDue`.
  func send(_ request: S3Request, if isDue: () throws -> Bool) throws -> S3Response? {
    do {
      return try http.retrying { try isDue() ? try sendOnce(request) : nil }
    } catch let error as HTTPError {
      throw StoreError(error, place(of: request.key))
    }
  }

  /// Returns a reader of an object or a range, which sends as many requests as necessary.
  func reader(
    of request: S3Request, at range: Range<Int64>?, byteCount: Int64?, name: String
  ) -> any ObjectReader {
    HTTPObjectReader(range, ofObjectAt: name, byteCount: byteCount, by: http) { part in
      var request = request
      request.range = part
      switch try self.opened(request) {
      case .success(let response): return response
      case .failure(let response):
        if let part, response.head.status == 416 {
          throw HTTPError(.unexpectedResponse, StoreReader.shortMessage(at: name, part))
        }
        throw StoreError(response, "cannot read \(name)", name)
      }
    }
  }

  /// Sends a request, and reads the whole response.
  ///
  /// - Throws: The errors of `opened`.
  private func sendOnce(_ request: S3Request) throws -> S3Response {
    switch try opened(request) {
    case .success(let response):
      let limit = max(request.maximumResponseSize, HTTPLimits.maximumErrorBodySize)
      return try checked(S3Response(head: response.head, body: response.body(atMost: limit)))
    case .failure(let response): return response
    }
  }

  /// The result of a request.
  private enum RequestOutcome {
    /// A success, whose body is not read yet.
    case success(HTTPResponse)
    /// An error that a retry does not change.
    case failure(S3Response)
  }

  /// Sends a request, and repeats it with an adjusted time if the clocks differ too much.
  ///
  /// - Throws: A transient `HTTPError` for a response after which a retry may succeed.
  private func opened(_ request: S3Request) throws -> RequestOutcome {
    let sent = time
    let first = try exchange(request)
    guard case .failure(let response) = first, response.head.status == 403, let date = response.head.date,
      abs(date - sent) > Self.toleratedSkew,
      response.serviceError.map({ $0.code == "RequestTimeTooSkewed" }) ?? true
    else { return try checked(first) }
    skew.store(date - now(), ordering: .relaxed)
    return try checked(try exchange(request))
  }

  /// The difference of the clocks in seconds above which they may have caused a 403 response. S3 tolerates 15 minutes.
  private static let toleratedSkew: Int64 = 5 * 60

  /// Signs a request with the current time and sends it.
  private func exchange(_ request: S3Request) throws -> RequestOutcome {
    let path = address.path + (request.key.map { "/" + PercentEncoding.encodePath($0) } ?? "")
    let target = address.with(
      path: path.isEmpty ? "/" : path,
      query: request.query.isEmpty ? nil : RequestSigner.query(request.query))
    let headers = signer.signed(
      request.method, target, headers: request.headers, payload: request.payload, at: SignatureTime(time))
    var outgoing = HTTPRequest(
      request.method, target, headers: headers, body: request.body, range: request.range,
      stallTimeout: request.stallTimeout)
    outgoing.isRepeatable = request.isRepeatable
    let response = try http.open(outgoing)
    clock.observe(response.head, at: now())
    if response.head.isSuccess { return .success(response) }
    return .failure(
      S3Response(head: response.head, body: try response.body(atMost: HTTPLimits.maximumErrorBodySize)))
  }

  private func checked(_ opened: RequestOutcome) throws(HTTPError) -> RequestOutcome {
    guard case .failure(let response) = opened else { return opened }
    return .failure(try checked(response))
  }

  /// Throws an error for a response that a retry may change.
  private func checked(_ response: S3Response) throws(HTTPError) -> S3Response {
    let status = HTTPError(
      .status(response.head.status), response.errorMessage("\(location)"),
      retryAfter: response.head.retryAfter(now: time))
    // S3 may send status 200 before the result is known, and report an error in the body.
    let isLateError = response.head.isSuccess && response.serviceError != nil
    if isLateError || Self.transientCodes.contains(response.serviceError?.code ?? "") {
      throw HTTPError(.status(503), status.message, retryAfter: status.retryAfter)
    }
    if status.isTransient { throw status }
    return response
  }

  private static let transientCodes: Set = [
    "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable",
  ]

  /// Returns the address of an object or of the store, for messages.
  private func place(of key: String?) -> String {
    key.map { "s3://\(location.bucket)/\($0)" } ?? location.description
  }

  /// Rethrows errors as store errors.
  private func asStoreError<Result>(
    _ key: String?, _ work: () throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try work()
    } catch let error as HTTPError {
      throw StoreError(error, place(of: key))
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.cancelled, place(of: key), "stopped")
    }
  }
}
