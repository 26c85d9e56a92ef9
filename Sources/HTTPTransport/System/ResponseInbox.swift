#if !COMMAND_LINE_TOOL
internal import Foundation
import Support
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The events of a request, which URLSession adds on its threads and the sending thread takes.
final class ResponseInbox: Sendable {
  /// The number of received bytes that wakes the sending thread before its timeout. URLSession delivers 16 kB at a
  /// time, and a wake-up costs as much as processing 16 kB.
  private static let batchSize = 128 << 10

  /// The events since the last `take`.
  struct Events {
    var head: HTTPURLResponse?
    /// The number of bytes of the request body sent so far.
    var sent: Int64
    /// The number of bytes of the response body received so far, including those not taken yet.
    var received: Int64
    /// The result of the request, once all bytes were taken.
    var result: Result<Void, any Error>?
  }

  private struct State {
    var head: HTTPURLResponse?
    var hasHead = false
    var backlog = ResponseBacklog()
    var received: Int64 = 0
    var sent: Int64 = 0
    var result: Result<Void, any Error>?
    /// Whether the sending thread takes no more events.
    var isClosed = false
    /// Whether there are events that were not taken.
    var hasEvents = false
  }

  private let state = Monitor(State())

  func put(head: URLResponse) {
    state.update { state in
      state.head = head as? HTTPURLResponse
      state.hasHead = true
      state.hasEvents = true
    }
  }

  /// Adds received bytes; blocks while the backlog is full.
  func put(_ bytes: Data) {
    state.wait(wakingIf: \.hasEvents) { state -> Void? in
      guard state.isClosed || state.backlog.hasCapacity else { return nil }
      guard !state.isClosed, state.result == nil else { return () }
      state.received += Int64(bytes.count)
      do throws(HTTPError) { try state.backlog.append(bytes) } catch { state.result = .failure(error) }
      state.hasEvents = state.hasEvents || state.result != nil || state.backlog.byteCount >= Self.batchSize
      return ()
    }
  }

  func put(sent: Int64) {
    state.update { state in
      state.sent = sent
      state.hasEvents = true
    }
  }

  /// Records the end of the request, with the response if it was not reported before.
  func finish(_ error: (any Error)?, _ response: URLResponse?) {
    state.update { state in
      if !state.hasHead { state.head = response as? HTTPURLResponse }
      state.hasHead = true
      state.hasEvents = true
      state.result = state.result ?? error.map { .failure($0) } ?? .success(())
    }
  }

  /// Ends the request: later events are dropped, and no thread of URLSession stays blocked.
  func close() {
    state.update { state in
      state.isClosed = true
      state.backlog = ResponseBacklog()
    }
  }

  /// Waits for an event or a batch of bytes, at most for `time`.
  func wait(atMost time: Duration) {
    _ = state.wait(atMost: time) { $0.hasEvents ? () : nil }
  }

  /// Returns whether the request succeeds within `time`.
  func isSuccess(within time: Duration) -> Bool {
    guard case .success = state.wait(atMost: time, { $0.result }) else { return false }
    return true
  }

  /// Takes the events so far, and replaces the contents of `block` with received bytes.
  ///
  /// - Throws: `HTTPError` if the bytes cannot be read back.
  func take(_ block: inout [UInt8]) throws(HTTPError) -> Events {
    let taken = state.update { state -> Result<Events, HTTPError> in
      do throws(HTTPError) {
        try state.backlog.take(into: &block)
      } catch { return .failure(error) }
      var events = Events(head: state.head, sent: state.sent, received: state.received)
      state.head = nil
      if state.backlog.isEmpty { events.result = state.result }
      state.hasEvents = !state.backlog.isEmpty
      return .success(events)
    }
    return try taken.get()
  }
}
#endif
