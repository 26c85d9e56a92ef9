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

  /// - Throws: `HTTPError` if the endpoint cannot be used, or the system has no thread.
  init(
    _ location: S3Location, _ settings: S3Settings, _ network: HTTPSettings, cancellation: Cancellation,
    now: @escaping @Sendable () -> Int64
  ) throws(HTTPError) {
    self.location = location
    address = try location.address(settings)
    signer = RequestSigner(settings.credentials, region: settings.region)
    var network = network
    network.retries.attempts = settings.attempts ?? network.retries.attempts
    http = try HTTPClient(network, cancellation: cancellation)
    self.now = now
    skew = Atomic(0)
  }

  /// The same, for what is to be done after a cancellation too, once and without a wait between tries.
  private init(finishing other: S3Client) {
    location = other.location
    address = other.address
    signer = other.signer
    http = HTTPClient(finishing: other.http)
    now = other.now
    skew = Atomic(other.skew.load(ordering: .relaxed))
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
      try http.retrying { _ in
        do {
          return try sendOnce(request, keepsBody: true, { _ in }, { _ in })
        } catch let error as HTTPError where error.isTransient {
          uncertain()
          throw error
        }
      }
    }
  }

  /// Hands on the bytes of an object, whatever the number of answers that takes.
  ///
  /// - Throws: `StoreError`; whatever `body` throws.
  func read(_ request: S3Request, name: String, _ body: (RawSpan) throws -> Void) throws {
    do {
      _ = try http.read(
        request.range, name: name,
        send: { range, onHead, onBytes in
          var part = request
          part.range = range
          let answer = try sendOnce(part, keepsBody: false, onHead, onBytes)
          guard answer.head.isSuccess else { throw StoreError(answer, "cannot read \(name)", name) }
        }, body)
    } catch let error as HTTPError {
      throw StoreError(error, name)
    }
  }

  /// Sends a request, and once more if it is only that the clocks differ; with `keepsBody` a success is kept too,
  /// rather than handed on.
  ///
  /// - Throws: a transient `HTTPError` for an answer after which another try may do.
  private func sendOnce(
    _ request: S3Request, keepsBody: Bool, _ onHead: (HTTPHead) throws -> Void,
    _ onBytes: (RawSpan) throws -> Void
  ) throws -> S3Answer {
    let sent = time
    let answer = try exchange(request, keepsBody: keepsBody, onHead, onBytes)
    guard answer.head.status == 403, let date = answer.head.date, abs(date - sent) > Self.toleratedSkew,
      answer.serviceError.map({ $0.code == "RequestTimeTooSkewed" }) ?? true
    else { return try checked(answer) }
    skew.store(date - now(), ordering: .relaxed)
    return try checked(try exchange(request, keepsBody: keepsBody, onHead, onBytes))
  }

  /// S3 refuses what was signed more than 15 minutes ago; an answer without a body may mean that.
  private static let toleratedSkew: Int64 = 5 * 60

  /// Signs a request for this moment and sends it.
  private func exchange(
    _ request: S3Request, keepsBody: Bool, _ onHead: (HTTPHead) throws -> Void,
    _ onBytes: (RawSpan) throws -> Void
  ) throws -> S3Answer {
    let path = address.path + (request.key.map { "/" + PercentEncoding.encodePath($0) } ?? "")
    let target = address.with(
      path: path.isEmpty ? "/" : path,
      query: request.query.isEmpty ? nil : RequestSigner.query(request.query))
    let headers = signer.signed(
      request.method, target, headers: request.headers, payload: request.payload, at: SignatureTime(time))
    var answer: [UInt8] = []
    var isReceived = false
    var limit = HTTPLimits.errorBytes
    var outgoing = HTTPRequest(
      request.method, target, headers: headers, body: request.body, range: request.range,
      stallTimeout: request.stallTimeout)
    outgoing.isRepeatable = request.isRepeatable
    let head = try http.send(outgoing) { head in
      isReceived = head.isSuccess && !keepsBody
      if head.isSuccess { limit = max(request.answerLimit, limit) }
      if isReceived { try onHead(head) }
    } onBytes: { bytes in
      if isReceived {
        try onBytes(bytes)
      } else {
        guard answer.count + bytes.byteCount <= limit else {
          throw HTTPError(.tooLarge, "\(target) has more than \(limit) bytes")
        }
        unsafe bytes.withUnsafeBytes { unsafe answer.append(contentsOf: $0) }
      }
    }
    return S3Answer(head: head, body: answer)
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
