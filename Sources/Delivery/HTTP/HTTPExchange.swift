import SafeFiles
import Support

/// One request under way: what the transport's thread and the caller share.
final class HTTPExchange: Sendable {
  /// What the caller takes next.
  enum Event {
    case head(HTTPHead)
    /// Bytes are in the buffer.
    case bytes
    case end(HTTPHead)
    case error(HTTPError)
  }

  /// What becomes of bytes that have come.
  enum Verdict {
    case taken
    /// There is no room; the same bytes are to come again.
    case pause
    case stop
  }

  private struct State {
    var head: HTTPHead?
    var headerBytes = 0
    var isHeadWhole = false
    var isHeadTaken = false
    var unread: [UInt8] = []
    var received: Int64 = 0
    var sent: Int64 = 0
    var isPaused = false
    /// The caller wants no more.
    var isAbandoned = false
    /// What a callback found.
    var error: HTTPError?
    var isEnded = false
  }

  let request: HTTPRequest
  /// Whether HTTP/2 may be spoken.
  let allowsStreams: Bool
  private let limiter: RateLimiter?
  private let state = Monitor(State())

  init(_ request: HTTPRequest, allowsStreams: Bool, limiter: RateLimiter? = nil) {
    self.request = request
    self.allowsStreams = allowsStreams
    self.limiter = limiter
  }

  var isAbandoned: Bool { state.update { $0.isAbandoned } }
}

// What the caller's thread does.
extension HTTPExchange {
  /// The next event, or nil if there was none for so long. Bytes take the place of what `buffer` has.
  func next(atMost timeout: Duration, _ buffer: inout [UInt8]) -> (event: Event, wasPaused: Bool)? {
    buffer.removeAll(keepingCapacity: true)
    return state.wait(atMost: timeout) { state in
      if state.isHeadWhole, !state.isHeadTaken, let head = state.head {
        state.isHeadTaken = true
        return (.head(head), false)
      }
      if !state.unread.isEmpty {
        swap(&state.unread, &buffer)
        let wasPaused = state.isPaused
        state.isPaused = false
        return (.bytes, wasPaused)
      }
      guard state.isEnded else { return nil }
      if let error = state.error { return (.error(error), false) }
      guard let head = state.head, state.isHeadTaken else {
        return (.error(HTTPError(.unreachable, "\(request.address) ended without an answer")), false)
      }
      return (.end(head), false)
    }
  }

  /// Says that no more is wanted.
  func abandon() { state.update { $0.isAbandoned = true } }

  /// Waits until the transport has let go of the request.
  func waitForEnd() { state.wait { $0.isEnded ? () : nil } }
}

// What the transport's thread does, most of it in callbacks of libcurl.
extension HTTPExchange {
  /// A line of the header; an empty one ends it.
  func takeHeader(_ line: UnsafeRawBufferPointer) -> Verdict {
    let text = unsafe String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    return state.update { state in
      guard !state.isHeadWhole else { return .taken }  // a trailer
      state.headerBytes += line.count
      guard state.headerBytes <= HTTPLimits.headerBytes else {
        return Self.fail(
          &state,
          HTTPError(
            .tooLarge, "the header of \(request.address) has more than \(HTTPLimits.headerBytes) bytes"))
      }
      if text.isEmpty {
        state.isHeadWhole = (state.head?.status ?? 0) >= 200
      } else if text.hasPrefix("HTTP/"), let head = HTTPHead(statusLine: text) {
        state.head = head
      } else {
        state.head?.add(line: text)
      }
      return .taken
    }
  }

  /// Bytes of the body. On an HTTP/2 connection this waits for room: libcurl would buffer what comes on a paused
  /// stream, up to 32 MiB of it.
  func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    state.wait { state in
      if state.isAbandoned { return .stop }
      guard state.unread.isEmpty || state.unread.count + bytes.count <= HTTPLimits.unread else {
        if state.head?.version == 2 { return nil }
        state.isPaused = true
        return .pause
      }
      state.received += Int64(bytes.count)
      guard state.received <= request.bodyLimit else {
        return Self.fail(
          &state,
          HTTPError(
            .tooLarge,
            "\(request.address) has more bytes than expected, which is at most \(request.bodyLimit)"
          ))
      }
      unsafe state.unread.append(contentsOf: bytes)
      return .taken
    }
  }

  /// Waits after bytes have come until there are no more than the rate allows. Every transfer of the thread waits with
  /// this one, so that the limit holds for all together; what comes meanwhile stays with the system.
  func keepRate(after count: Int) {
    guard let pause = limiter?.take(count), pause > .zero else { return }
    _ = state.wait(atMost: pause) { $0.isAbandoned ? () : nil }
  }

  /// The next bytes to send.
  ///
  /// - Returns: how many; nil if they cannot be had.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let body = request.body, let sent = state.update({ $0.isAbandoned ? nil : $0.sent }) else {
      return nil
    }
    let rest = Int64(body.range.count) - sent
    let count = Int(min(Int64(buffer.count), rest))
    guard count > 0 else { return 0 }
    do throws(SourceError) {
      var target = unsafe MutableRawSpan(
        _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      let read = try body.source.read(at: body.range.lowerBound + sent, into: &target)
      guard read == count else { return fail(HTTPError(.wrongAnswer, "what is sent became shorter")) }
      state.update { $0.sent += Int64(read) }
      body.advance(Int64(read))
      return read
    } catch {
      return fail(HTTPError(.body(error), error.description))
    }
  }

  /// Goes back to a place in what is sent.
  func seek(to position: Int64) {
    let difference = state.update { state in
      let difference = position - state.sent
      state.sent = position
      return difference
    }
    request.body?.advance(difference)
  }

  /// Nothing more comes.
  func end(_ error: HTTPError?) {
    let unsent = state.update { state in
      if state.error == nil { state.error = error }
      state.isEnded = true
      return state.error == nil ? 0 : state.sent
    }
    if unsent > 0 { request.body?.advance(-unsent) }
  }

  private func fail(_ error: HTTPError) -> Int? {
    state.update { _ = Self.fail(&$0, error) }
    return nil
  }

  private static func fail(_ state: inout State, _ error: HTTPError) -> Verdict {
    state.error = error
    return .stop
  }
}
