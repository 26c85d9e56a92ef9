/// What is known of an object that is read.
package struct HTTPObject: Sendable, Equatable {
  /// Nil as long as no answer has said it.
  package var byteCount: Int64?
  /// Its strong ETag.
  package var tag: String?

  /// Whether another answer can be of the same object.
  func canBe(_ other: HTTPObject) -> Bool {
    guard tag == other.tag else { return false }
    guard let byteCount, let otherCount = other.byteCount else { return true }
    return byteCount == otherCount
  }
}

extension HTTPClient {
  /// Hands on the bytes of an object at `range`, or all, in order, and goes on where an answer broke off.
  ///
  /// - Parameters:
  ///   - range: what is wanted; nil for all of it.
  ///   - name: the object, for messages.
  ///   - send: sends a request for a range, or for all with nil, and hands on the answer's header, if it is a
  ///     success, and its bytes.
  ///   - body: gets the bytes; each exactly once.
  /// - Returns: what the object is.
  /// - Throws: `HTTPError`, with `.wrongAnswer` for answers that are not what was asked for, after all retries,
  ///   and `.rangeIgnored` for one that is the whole object in place of a range.
  package func read(
    _ range: Range<Int64>?, name: String,
    send: (Range<Int64>?, _ onHead: (HTTPHead) throws -> Void, _ onBytes: (RawSpan) throws -> Void) throws ->
      Void,
    _ body: (RawSpan) throws -> Void
  ) throws -> HTTPObject {
    var reading = RangeReading(wanted: range, name: name)
    return try withoutActuallyEscaping(body) { body in
      try retrying { errors in
        if let done = reading.done { return done }
        try send(reading.next) { head in
          try reading.begin(head)
        } _: { bytes in
          let fresh = bytes.extracting(droppingFirst: try reading.take(bytes.byteCount))
          guard !fresh.isEmpty else { return }
          try body(fresh)
          errors.reset()
        }
        return try reading.finish()
      }
    }
  }
}

/// How far the reading of a range is, and whether an answer is the one to what was asked.
struct RangeReading {
  /// All of the object for nil.
  let wanted: Range<Int64>?
  let name: String
  /// The next byte that is to come.
  private var position: Int64
  /// Bytes of an answer that came before.
  private var known: Int64 = 0
  private var object: HTTPObject?

  init(wanted: Range<Int64>?, name: String) {
    self.wanted = wanted
    self.name = name
    position = wanted?.lowerBound ?? 0
  }

  /// Where the reading ends, as far as that is known.
  private var end: Int64? { wanted?.upperBound ?? object?.byteCount }

  /// The object, if there is nothing left to ask for.
  var done: HTTPObject? { position == end ? object : nil }

  /// What to ask for; nil for all of the object.
  var next: Range<Int64>? {
    guard let end, wanted != nil || position > 0, position < end else { return nil }
    return position..<end
  }

  /// Looks at the header of an answer to a request for `next`.
  mutating func begin(_ head: HTTPHead) throws(HTTPError) {
    let found: HTTPObject
    switch head.status {
    case 206:
      guard let asked = next, let content = head.contentRange, content.range == asked,
        head.contentLength ?? Int64(asked.count) == Int64(asked.count)
      else {
        let expected = next.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? "all"
        throw wrong("the range '\(head["content-range"] ?? "")' came, expected \(expected)")
      }
      found = HTTPObject(byteCount: content.total, tag: head.strongTag)
      known = 0
    case 200:
      guard wanted == nil else {
        throw HTTPError(.rangeIgnored, "\(name) came whole, although a part was asked for")
      }
      found = HTTPObject(byteCount: head.contentLength, tag: head.strongTag)
      known = position
    default: throw wrong("status \(head.status) came, expected 200 or 206")
    }
    if let object, !object.canBe(found) { throw wrong("it changed while it was read") }
    object = HTTPObject(byteCount: found.byteCount ?? object?.byteCount, tag: found.tag)
  }

  /// Counts bytes that have come.
  ///
  /// - Returns: how many of them came before.
  mutating func take(_ count: Int) throws(HTTPError) -> Int {
    let old = min(known, Int64(count))
    let fresh = Int64(count) - old
    if let end, fresh > end - position { throw wrong("more bytes came than it has") }
    known -= old
    position += fresh
    return Int(old)
  }

  /// Looks whether all has come.
  func finish() throws(HTTPError) -> HTTPObject {
    guard let object, end == nil || position == end, known == 0 else {
      throw wrong("it ended at byte \(position), expected \(end ?? 0)")
    }
    return HTTPObject(byteCount: object.byteCount ?? (wanted == nil ? position : nil), tag: object.tag)
  }

  private func wrong(_ what: String) -> HTTPError { HTTPError(.wrongAnswer, "\(name): \(what)") }
}
