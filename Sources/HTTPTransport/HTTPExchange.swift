import SafeFiles

/// The state of a request, which the transport drives; belongs to the thread that sends the request.
final class HTTPExchange {
  /// The result of a callback.
  enum Verdict {
    case accepted
    /// The buffer is full; the transport must deliver the same bytes again.
    case pause
    /// The transfer must end because of `error`.
    case stop
  }

  let request: HTTPRequest
  /// The maximum number of unread bytes, after which the connection waits. A single block may be larger.
  private let maximumUnreadCount: Int
  /// The received bytes of the response body that were not read yet.
  private var unread: [UInt8] = []
  /// The total number of bytes of the body received.
  private(set) var received: Int64 = 0
  private var head: HTTPHead?
  private var headerBytes = 0
  private var isHeadComplete = false
  private var isPaused = false
  private var sent: Int64 = 0
  /// The error that a callback encountered.
  private(set) var error: HTTPError?

  init(_ request: HTTPRequest, maximumUnreadCount: Int) {
    self.request = request
    self.maximumUnreadCount = maximumUnreadCount
  }

  /// The header of the response; nil until it is complete.
  var responseHead: HTTPHead? { isHeadComplete ? head : nil }

  /// Whether the header of the response has begun and not ended.
  var isInHeader: Bool { head != nil && !isHeadComplete }
  /// The error for a header that is too long.
  var headerExcess: HTTPError {
    HTTPError(
      .unexpectedResponse,
      "the header of \(request.address) has more than \(HTTPLimits.maximumHeaderSize) bytes")
  }

  /// Replaces the contents of `buffer` with the unread bytes.
  ///
  /// - Returns: False if there are none.
  func takeUnread(into buffer: inout [UInt8]) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    swap(&unread, &buffer)
    return !buffer.isEmpty
  }

  /// Returns whether the transfer was paused, and clears the pause.
  func consumePause() -> Bool { exchange(&isPaused, with: false) }
}

// The calls of the transport.
extension HTTPExchange {
  /// Receives a line of the header; an empty line ends it.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Verdict {
    guard !isHeadComplete else { return .accepted }  // a trailer
    headerBytes += line.count
    guard headerBytes <= HTTPLimits.maximumHeaderSize else {
      return fail(headerExcess)
    }
    let text = unsafe String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    if text.isEmpty {
      isHeadComplete = (head?.status ?? 0) >= 200
    } else if text.hasPrefix("HTTP/"), let head = HTTPHead(statusLine: text) {
      self.head = head
    } else {
      head?.add(line: text)
    }
    return .accepted
  }

  /// Receives bytes of the body.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard unread.isEmpty || unread.count + bytes.count <= maximumUnreadCount else {
      isPaused = true
      return .pause
    }
    let verdict = count(bytes.count)
    if verdict == .accepted { unsafe unread.append(contentsOf: bytes) }
    return verdict
  }

  /// Receives bytes of the body, without a copy if there are no unread bytes, and leaves `block` empty.
  func receive(_ block: inout [UInt8]) -> Verdict {
    let verdict = count(block.count)
    if verdict == .accepted { if unread.isEmpty { swap(&unread, &block) } else { unread += block } }
    block.removeAll(keepingCapacity: true)
    return verdict
  }

  private func count(_ byteCount: Int) -> Verdict {
    received += Int64(byteCount)
    guard received <= request.bodyLimit else {
      return fail(
        HTTPError(
          .tooLarge,
          "\(request.address) sent more than the expected maximum of \(request.bodyLimit) bytes"))
    }
    return .accepted
  }

  /// Provides the next bytes to send.
  ///
  /// - Returns: The number of bytes; nil after an error.
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
        error = HTTPError(.unexpectedResponse, "the request body became shorter while it was sent")
        return nil
      }
      seek(to: sent + Int64(read))
      return read
    } catch {
      self.error = HTTPError(.body(error), error.description)
      return nil
    }
  }

  /// Moves to a position in the request body.
  func seek(to position: Int64) {
    request.body?.advance(position - sent)
    sent = position
  }

  private func fail(_ error: HTTPError) -> Verdict {
    self.error = error
    return .stop
  }
}
