import HTTPTransport
import SafeFiles
import Support

/// An unsigned request to a bucket.
struct S3Request {
  var method: HTTPRequest.Method
  /// The object key, including the store's prefix; nil for the bucket itself.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: [HTTPHeader] = []
  var body: HTTPBody?
  /// The SHA-256 of the body as hexadecimal digits.
  var payload = S3Request.emptyPayload
  var range: Range<Int64>?
  var stallTimeout = HTTPLimits.stallTimeout
  /// See `HTTPRequest.isRepeatable`.
  var isRepeatable = true
  /// The maximum size of a response that is read into memory.
  var maximumResponseSize = S3Element.maximumByteCount

  static let emptyPayload = SHA256Digest.ofNothing.hexadecimal

  init(_ method: HTTPRequest.Method, _ key: String?) {
    self.method = method
    self.key = key
  }

  /// Sets `bytes` as the body.
  mutating func setBody(_ bytes: [UInt8]) {
    body = HTTPBody(bytes)
    payload = SHA256Digest(of: bytes).hexadecimal
  }

  /// Sets a range of a source as the body, with a checksum that the store verifies (x-amz-checksum-sha256).
  ///
  /// - Returns: The checksum in base64.
  mutating func setBody(
    _ source: any ByteSource, range: Range<Int64>, advance: @escaping @Sendable (Int64) -> Void
  ) throws(SourceError) -> String {
    let digest = try Self.digest(of: source, range: range)
    body = HTTPBody(source, range: range, advance: advance)
    payload = digest.hexadecimal
    let checksum = digest.base64
    headers.append(HTTPHeader("x-amz-checksum-sha256", checksum))
    return checksum
  }

  /// Computes the digest of a range of a source.
  static func digest(of source: any ByteSource, range: Range<Int64>) throws(SourceError) -> SHA256Digest {
    var hasher = SHA256Hasher()
    var position = range.lowerBound
    var block = [UInt8](repeating: 0, count: min(Self.blockSize, range.count))
    while position < range.upperBound {
      let count = Int(min(Int64(block.count), range.upperBound - position))
      let read = try source.read(at: position, into: &block, count: count)
      guard read > 0 else { break }  // the transport reports that the source became shorter
      hasher.update(unsafe block.borrowedSpan.bytes.extracting(first: read))  // UInt8 has no padding
      position += Int64(read)
    }
    return hasher.finish()
  }

  private static let blockSize = 256 << 10
}

/// A response of a bucket: a success, or an error that a retry does not change.
struct S3Response {
  let head: HTTPHead
  let body: [UInt8]

  /// An error reported by S3.
  struct ServiceError {
    /// The error code, such as `NoSuchBucket`.
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

  /// The region of the bucket, as reported by S3.
  var region: String? { head["x-amz-bucket-region"] ?? S3Element(body)?["Region"] }

  /// Returns a description of the error: S3's message or the status, the error code and the request identifier.
  func errorMessage(_ operation: String) -> String {
    guard let serviceError else {
      let request = head["x-amz-request-id"].map { ", request \($0)" } ?? ""
      return "\(operation): the store answered with status \(head.status)\(request)"
    }
    let description =
      serviceError.message.isEmpty ? "status \(head.status)" : Self.clause(serviceError.message)
    let request = serviceError.request.map { ", request \($0)" } ?? ""
    return "\(operation): \(description) (\(serviceError.code)\(request))"
  }

  /// Returns the first 300 characters without a trailing period, for use within another sentence.
  private static func clause(_ text: String) -> String {
    let text = text.prefix(300)
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }
}
