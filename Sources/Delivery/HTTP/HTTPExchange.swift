import SafeFiles

/// One request under way, as the callbacks of libcurl see it; belongs to the thread that sends it.
final class HTTPExchange {
  /// What a callback of libcurl answers.
  enum Verdict {
    case taken
    /// There is no room; the same bytes are to come again.
    case pause
    /// The request is to end; `error` says why.
    case stop
  }

  let request: HTTPRequest
  /// The most bytes of the body that nobody has taken yet; then the connection waits. A block may be larger.
  private let room: Int
  /// Bytes of the body of the answer that nobody has taken yet.
  private var unread: [UInt8] = []
  /// All bytes of the body that have come.
  private(set) var received: Int64 = 0
  private var head: HTTPHead?
  private var headerBytes = 0
  private var isHeadWhole = false
  private var isPaused = false
  private var sent: Int64 = 0
  /// What a callback has found.
  private(set) var error: HTTPError?

  init(_ request: HTTPRequest, room: Int) {
    self.request = request
    self.room = room
  }

  /// The header of the answer; nil if it has not come yet.
  var answer: HTTPHead? { isHeadWhole ? head : nil }

  /// Puts what has come in the place of what `buffer` has.
  ///
  /// - Returns: false if nothing has come.
  func takeUnread(into buffer: inout [UInt8]) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    swap(&unread, &buffer)
    return !buffer.isEmpty
  }

  /// Whether libcurl was told to pause, which it is not any more.
  func takePause() -> Bool { exchange(&isPaused, with: false) }
}

// What the callbacks do.
extension HTTPExchange {
  /// A line of the header; an empty one ends it.
  func takeHeader(_ line: UnsafeRawBufferPointer) -> Verdict {
    guard !isHeadWhole else { return .taken }  // a trailer
    headerBytes += line.count
    guard headerBytes <= HTTPLimits.headerBytes else {
      return fail(
        HTTPError(
          .wrongAnswer, "the header of \(request.address) has more than \(HTTPLimits.headerBytes) bytes"))
    }
    let text = unsafe String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    if text.isEmpty {
      isHeadWhole = (head?.status ?? 0) >= 200
    } else if text.hasPrefix("HTTP/"), let head = HTTPHead(statusLine: text) {
      self.head = head
    } else {
      head?.add(line: text)
    }
    return .taken
  }

  /// Bytes of the body.
  func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard unread.isEmpty || unread.count + bytes.count <= room else {
      isPaused = true
      return .pause
    }
    received += Int64(bytes.count)
    guard received <= request.bodyLimit else {
      return fail(
        HTTPError(
          .tooLarge,
          "\(request.address) has more bytes than expected, which is at most \(request.bodyLimit)"))
    }
    unsafe unread.append(contentsOf: bytes)
    return .taken
  }

  /// The next bytes to send.
  ///
  /// - Returns: how many; nil if they cannot be had.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let body = request.body else { return nil }
    let rest = Int64(body.range.count) - sent
    let count = Int(min(Int64(buffer.count), rest))
    guard count > 0 else { return 0 }
    do throws(SourceError) {
      var target = unsafe MutableRawSpan(
        _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      let read = try body.source.read(at: body.range.lowerBound + sent, into: &target)
      guard read == count else {
        error = HTTPError(.wrongAnswer, "what is sent became shorter")
        return nil
      }
      seek(to: sent + Int64(read))
      return read
    } catch {
      self.error = HTTPError(.body(error), error.description)
      return nil
    }
  }

  /// Goes to a place in what is sent.
  func seek(to position: Int64) {
    request.body?.advance(position - sent)
    sent = position
  }

  private func fail(_ error: HTTPError) -> Verdict {
    self.error = error
    return .stop
  }
}
