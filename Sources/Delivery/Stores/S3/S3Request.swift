import SafeFiles

/// A request to a bucket, before it is signed.
struct S3Request {
  var method: HTTPRequest.Method
  /// The name of an object, the store's prefix included; nil for the bucket itself.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: [HTTPHeader] = []
  var body: HTTPBody?
  /// The SHA-256 of the body, in hexadecimal digits.
  var payload = S3Request.emptyPayload
  var range: Range<Int64>?
  var stallTimeout = HTTPLimits.stall
  /// See `HTTPRequest.isRepeatable`.
  var isRepeatable = true
  /// What is read of an answer that is kept.
  var answerLimit = S3Element.limit

  static let emptyPayload = SHA256Digest.ofNothing.hexadecimal

  init(_ method: HTTPRequest.Method, _ key: String?) {
    self.method = method
    self.key = key
  }

  /// Sends `bytes` along.
  mutating func carry(_ bytes: [UInt8]) {
    body = HTTPBody(bytes)
    payload = SHA256Digest(of: bytes).hexadecimal
  }

  /// Sends a part of a source along, and its checksum, which the store checks (x-amz-checksum-sha256).
  mutating func carry(
    _ source: any ByteSource, range: Range<Int64>, advance: @escaping @Sendable (Int64) -> Void
  ) throws(SourceError) -> String {
    let digest = try Self.digest(of: source, range: range)
    body = HTTPBody(source, range: range, advance: advance)
    payload = digest.hexadecimal
    let checksum = digest.base64
    headers.append(HTTPHeader("x-amz-checksum-sha256", checksum))
    return checksum
  }

  /// The digest of a part of a source.
  static func digest(of source: any ByteSource, range: Range<Int64>) throws(SourceError) -> SHA256Digest {
    var hasher = SHA256Hasher()
    var position = range.lowerBound
    var block = [UInt8](repeating: 0, count: min(Self.block, range.count))
    while position < range.upperBound {
      let count = Int(min(Int64(block.count), range.upperBound - position))
      let read = try source.read(at: position, into: &block, count: count)
      guard read > 0 else { break }  // the transport says that the source became shorter
      hasher.update(unsafe block.span.bytes.extracting(first: read))  // any UInt8 is a byte
      position += Int64(read)
    }
    return hasher.finish()
  }

  private static let block = 256 << 10
}

/// What a bucket answered: a success, or something that trying again does not change.
struct S3Answer {
  let head: HTTPHead
  let body: [UInt8]

  /// What S3 says went wrong.
  struct ServiceError {
    /// S3's word for it: `NoSuchBucket`.
    let code: String
    let message: String
    let request: String?
  }

  var serviceError: ServiceError? {
    guard let element = S3Element(body), element.name == "Error", let code = element["Code"] else {
      return nil
    }
    return ServiceError(
      code: code, message: element["Message"] ?? "",
      request: element["RequestId"] ?? head["x-amz-request-id"])
  }

  /// The region that S3 says the bucket is in.
  var region: String? { head["x-amz-bucket-region"] ?? S3Element(body)?["Region"] }

  /// What happened, in words: status, S3's own words, its code and the number of the request.
  func sentence(_ doing: String) -> String {
    guard let serviceError else {
      let request = head["x-amz-request-id"].map { ", request \($0)" } ?? ""
      return "\(doing): the store answered with status \(head.status)\(request)"
    }
    let words = serviceError.message.isEmpty ? "status \(head.status)" : Self.clause(serviceError.message)
    let request = serviceError.request.map { ", request \($0)" } ?? ""
    return "\(doing): \(words) (\(serviceError.code)\(request))"
  }

  /// A sentence as part of another.
  private static func clause(_ text: String) -> String {
    let text = text.prefix(300)
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }
}
