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

/// How far the reading of a range is, and whether an answer is the one to what was asked.
struct RangeReading {
  /// All of the object for nil.
  let wanted: Range<Int64>?
  let name: String
  /// The next byte that is to come.
  private(set) var position: Int64
  /// Bytes of an answer that came before.
  private var known: Int64 = 0
  /// The compression of the answer, which was not asked for.
  private var encoding: String?
  /// The object, once an answer has said what it is.
  private(set) var object: HTTPObject?

  init(wanted: Range<Int64>?, name: String) {
    self.wanted = wanted
    self.name = name
    position = wanted?.lowerBound ?? 0
  }

  /// Where the reading ends, as far as that is known.
  private var end: Int64? { wanted?.upperBound ?? object?.byteCount }

  /// Whether there is nothing left to ask for.
  var isDone: Bool { object != nil && position == end }

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
      guard let asked = next, let content = head.contentRange, content.range == asked else {
        let expected = next.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? "all"
        let found = head["content-range"].map { "the range '\($0)' came" } ?? "a part without its range came"
        throw wrong("\(found), expected \(expected)")
      }
      if let length = head.contentLength, length != Int64(asked.count) {
        // We ask for no encoding. A label alone does no harm, and S3 has such.
        let encoding = head["content-encoding"].map { " with Content-Encoding: \($0)" } ?? ""
        throw wrong("\(length) bytes came\(encoding) for a range of \(asked.count)")
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
    encoding = head.contentEncoding
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
  func finish() throws(HTTPError) {
    guard object != nil, end == nil || position == end, known == 0 else {
      throw wrong("it ended at byte \(position), expected \(end ?? 0)")
    }
  }

  private func wrong(_ what: String) -> HTTPError {
    let label = encoding.map { "; it came with Content-Encoding: \($0), which was not asked for" } ?? ""
    return HTTPError(.wrongAnswer, "\(name): \(what)\(label)")
  }
}
