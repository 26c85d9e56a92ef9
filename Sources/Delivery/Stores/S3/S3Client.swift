import ContentPackage
import Support
import Synchronization

/// Sends signed requests to one bucket, again where that may help, and learns how far its clock is from ours.
final class S3Client: Sendable {
  let location: S3Location
  private let address: HTTPAddress
  private let signer: RequestSigner
  private let http: HTTPClient
  /// Seconds since 1970.
  private let now: @Sendable () -> Int64
  /// How many seconds the store's clock is ahead of ours.
  private let skew: Atomic<Int64>
  let clock: StoreClock

  /// - Throws: `HTTPError` if the endpoint cannot be used.
  init(
    _ location: S3Location, _ settings: S3Settings, _ network: HTTPSettings, cancellation: Cancellation,
    now: @escaping @Sendable () -> Int64
  ) throws(HTTPError) {
    self.location = location
    address = try location.address(settings)
    signer = RequestSigner(settings.credentials, region: settings.region)
    var network = network
    network.retries.attempts = settings.attempts ?? network.retries.attempts
    http = HTTPClient(network, cancellation: cancellation)
    self.now = now
    skew = Atomic(0)
    clock = StoreClock()
  }

  /// The same, for what is to be done after a cancellation too, once and without a wait between tries.
  private init(finishing other: S3Client) {
    location = other.location
    address = other.address
    signer = other.signer
    http = HTTPClient(finishing: other.http)
    now = other.now
    skew = Atomic(other.skew.load(ordering: .relaxed))
    clock = other.clock
  }

  var finishing: S3Client { S3Client(finishing: self) }
  var cancellation: Cancellation { http.cancellation }

  /// The clock of the store.
  var time: Int64 { now() + skew.load(ordering: .relaxed) }

  /// Sends a request until there is an answer that counts; calls `uncertain` when it went wrong so that the store may
  /// have done what it was asked.
  ///
  /// - Throws: `StoreError`.
  func send(_ request: S3Request, uncertain: () -> Void = {}) throws(StoreError) -> S3Answer {
    try storing(request.key) {
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

  /// Reads an object at a range, or all of it, with as many requests as that takes.
  func reader(of request: S3Request, at range: Range<Int64>?, name: String) -> any ObjectReader {
    RemoteObjectReader(range, of: name, by: http) { part in
      var request = request
      request.range = part
      switch try self.opened(request) {
      case .success(let answer): return answer
      case .other(let answer): throw StoreError(answer, "cannot read \(name)", name)
      }
    }
  }

  /// Sends a request, and reads all of the answer.
  ///
  /// - Throws: as `opened`.
  private func sendOnce(_ request: S3Request) throws -> S3Answer {
    switch try opened(request) {
    case .success(let answer):
      let limit = max(request.answerLimit, HTTPLimits.errorBytes)
      return try checked(S3Answer(head: answer.head, body: answer.body(atMost: limit)))
    case .other(let answer): return answer
    }
  }

  /// What came of a request.
  private enum Opened {
    /// A success, whose body is still to be read.
    case success(HTTPAnswer)
    /// What trying again does not change.
    case other(S3Answer)
  }

  /// Sends a request, and once more if it is only that the clocks differ.
  ///
  /// - Throws: a transient `HTTPError` for an answer after which another try may do.
  private func opened(_ request: S3Request) throws -> Opened {
    let sent = time
    let first = try exchange(request)
    guard case .other(let answer) = first, answer.head.status == 403, let date = answer.head.date,
      abs(date - sent) > Self.toleratedSkew,
      answer.serviceError.map({ $0.code == "RequestTimeTooSkewed" }) ?? true
    else { return try checked(first) }
    skew.store(date - now(), ordering: .relaxed)
    return try checked(try exchange(request))
  }

  /// S3 refuses what was signed more than 15 minutes ago; an answer without a body may mean that.
  private static let toleratedSkew: Int64 = 5 * 60

  /// Signs a request for this moment and sends it.
  private func exchange(_ request: S3Request) throws -> Opened {
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
    let answer = try http.open(outgoing)
    clock.observe(answer.head, at: now())
    if answer.head.isSuccess { return .success(answer) }
    return .other(S3Answer(head: answer.head, body: try answer.body(atMost: HTTPLimits.errorBytes)))
  }

  private func checked(_ opened: Opened) throws(HTTPError) -> Opened {
    guard case .other(let answer) = opened else { return opened }
    return .other(try checked(answer))
  }

  /// Makes an error of an answer that another try may change.
  private func checked(_ answer: S3Answer) throws(HTTPError) -> S3Answer {
    let status = HTTPError(
      .status(answer.head.status), answer.sentence("\(location)"),
      retryAfter: answer.head.retryAfter(now: time))
    // S3 may answer 200 before it knows, and says then in the body what went wrong.
    let isLateError = answer.head.isSuccess && answer.serviceError != nil
    if isLateError || Self.transientCodes.contains(answer.serviceError?.code ?? "") {
      throw HTTPError(.status(503), status.message, retryAfter: status.retryAfter)
    }
    if status.isTransient { throw status }
    return answer
  }

  private static let transientCodes: Set = [
    "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable",
  ]

  /// Makes what goes wrong an error of the store.
  private func storing<Result>(
    _ key: String?, _ work: () throws -> Result
  ) throws(StoreError) -> Result {
    let place = key.map { "s3://\(location.bucket)/\($0)" } ?? location.description
    do {
      return try work()
    } catch let error as HTTPError {
      throw StoreError(error, place)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.cancelled, place, "stopped")
    }
  }
}
