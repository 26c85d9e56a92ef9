/// The properties of an object being read.
package struct HTTPObject: Sendable, Equatable {
  /// The size in bytes; nil while unknown.
  package var byteCount: Int64?
  /// The strong ETag; nil if there is none.
  package var tag: String?

  /// Compares the object with that of another response.
  ///
  /// - Parameters:
  ///   - other: The object of the other response.
  ///   - isVerified: Whether the caller verifies a digest. Servers that share a name may assign different tags to
  ///     the same bytes.
  /// - Returns: Whether both may be the same object.
  func canBe(_ other: HTTPObject, isVerified: Bool) -> Bool {
    guard isVerified || tag == other.tag else { return false }
    guard let byteCount, let otherCount = other.byteCount else { return true }
    return byteCount == otherCount
  }
}

/// The progress of reading a range, and the validation of responses.
struct RangeReading {
  /// The requested range; nil for the whole object.
  let wanted: Range<Int64>?
  let name: String
  /// The known size of an object whose digest the caller verifies, in bytes; otherwise nil.
  let byteCount: Int64?
  /// The offset of the next new byte.
  private(set) var position: Int64
  /// The number of next bytes of the current response that an earlier response already delivered.
  private var known: Int64 = 0
  /// The content encoding of the current response, which no request asks for; nil if there is none.
  private var encoding: String?
  /// The object; nil before the first response.
  private(set) var object: HTTPObject?

  init(wanted: Range<Int64>?, name: String, byteCount: Int64? = nil) {
    self.wanted = wanted
    self.name = name
    self.byteCount = byteCount
    position = wanted?.lowerBound ?? 0
  }

  /// The end of the range, if known.
  private var end: Int64? { wanted?.upperBound ?? object?.byteCount }

  /// Whether all bytes were received.
  var isDone: Bool { object != nil && position == end }

  /// The range of the next request; nil for the whole object.
  var next: Range<Int64>? {
    guard let end, wanted != nil || position > 0, position < end else { return nil }
    return position..<end
  }

  /// Validates the header of the response to a request for `next`.
  mutating func begin(_ head: HTTPHead) throws(HTTPError) {
    let found: HTTPObject
    switch head.status {
    case 206:
      guard let requested = next, let content = head.contentRange, content.range == requested else {
        let expected = next.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? "the whole object"
        let found = head["content-range"].map { "the range '\($0)'" } ?? "a part without its range"
        throw wrong("the server sent \(found), expected \(expected)")
      }
      if let byteCount, let total = content.total, total != byteCount {
        throw wrong("the object has \(total) bytes, expected \(byteCount)")
      }
      if let length = head.contentLength, length != Int64(requested.count) {
        // The request asks for no encoding. A label alone is harmless, and S3 objects may have one.
        let encoding = head["content-encoding"].map { " with Content-Encoding: \($0)" } ?? ""
        throw wrong("the server sent \(length) bytes\(encoding) for a range of \(requested.count)")
      }
      found = HTTPObject(byteCount: content.total, tag: head.strongTag)
      known = 0
    case 200:
      guard wanted == nil else {
        throw HTTPError(.rangeIgnored, "\(name): the server sent the whole object instead of a range")
      }
      found = HTTPObject(byteCount: head.contentLength, tag: head.strongTag)
      known = position
    default: throw wrong("the server responded with status \(head.status), expected 200 or 206")
    }
    encoding = head.contentEncoding
    if let object, !object.canBe(found, isVerified: byteCount != nil) {
      throw wrong("it changed while it was read")
    }
    object = HTTPObject(byteCount: found.byteCount ?? object?.byteCount, tag: found.tag)
  }

  /// Counts received bytes.
  ///
  /// - Returns: The number of these bytes that an earlier response already delivered.
  mutating func receive(_ count: Int) throws(HTTPError) -> Int {
    let old = min(known, Int64(count))
    let fresh = Int64(count) - old
    if let end, fresh > end - position { throw wrong("the server sent more bytes than expected") }
    known -= old
    position += fresh
    return Int(old)
  }

  /// Verifies that all bytes were received.
  func finish() throws(HTTPError) {
    guard object != nil, end == nil || position == end, known == 0 else {
      throw wrong("it ended at byte \(position), expected \(end ?? 0)")
    }
  }

  private func wrong(_ what: String) -> HTTPError {
    let label =
      encoding.map { "; the response came with Content-Encoding: \($0), which the request did not ask for" }
      ?? ""
    return HTTPError(.unexpectedResponse, "\(name): \(what)\(label)")
  }
}
