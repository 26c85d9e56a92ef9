import SafeFiles
import Support

/// The bytes of a part of an object in a store, in order and while they arrive.
///
/// A thread of its own receives them, and waits while more than `unreadLimit` have not been read. The stream itself
/// belongs to one thread: it is `Sendable` only because every `ByteSource` is.
final class ObjectStream: ByteSource, @unchecked Sendable {
  /// Bytes that wait to be read; a request of the network has as many again.
  private static let unreadLimit = 256 << 10
  /// The most that one request asks for.
  private static let longestRequest: Int64 = 32 << 20

  private struct State {
    var arrived: [UInt8] = []
    var isEnded = false
    var error: (any Error)?
    /// Nobody reads any more.
    var isAbandoned = false
  }

  /// Ends a request of which nobody wants the rest.
  private struct Abandoned: Error {}

  let name: String
  let byteCount: Int64
  private let state = Monitor(State())
  private let thread: BackgroundThread
  /// Bytes that the reader has taken over, and how many of them are used up.
  private var bytes: [UInt8] = []
  private var used = 0
  /// Where in the object the next unused byte is.
  private var position: Int64
  /// Why nothing comes any more, where that was not the end of the part.
  private var error: (any Error)?

  /// Begins to receive the bytes of an object at `range`; all of the object in one request with `isWhole`.
  ///
  /// - Throws: `StoreError` if the system has no thread for it.
  init(
    of path: StorePath, _ range: Range<Int64>, isWhole: Bool, in store: any Store, _ meter: TransferMeter
  ) throws(StoreError) {
    name = FileSystem.joined(store.name, path.text)
    byteCount = range.upperBound
    position = range.lowerBound
    let thread = BackgroundThread.start { [state] in
      do {
        for part in isWhole ? [nil] : Self.requests(for: range) {
          meter.addRequest()
          try store.read(path, range: part) { block in
            meter.add(block.byteCount)
            guard Self.append(block, to: state) else { throw Abandoned() }
          }
        }
        state.update { $0.isEnded = true }
      } catch {
        state.update {
          $0.error = error
          $0.isEnded = true
        }
      }
    }
    guard let thread else {
      throw StoreError(.unreachable, name, "the system has no thread left to receive \(name)")
    }
    self.thread = thread
  }

  deinit {
    state.update { $0.isAbandoned = true }
    thread.join()
  }

  private static func requests(for range: Range<Int64>) -> [Range<Int64>?] {
    stride(from: range.lowerBound, to: range.upperBound, by: Int(longestRequest)).map {
      $0..<min($0 + longestRequest, range.upperBound)
    }
  }

  /// Waits for room.
  ///
  /// - Returns: false if nobody reads any more.
  private static func append(_ block: RawSpan, to state: Monitor<State>) -> Bool {
    state.wait { state in
      if state.isAbandoned { return false }
      guard state.arrived.count < unreadLimit else { return nil }
      unsafe block.withUnsafeBytes { unsafe state.arrived.append(contentsOf: $0) }
      return true
    }
  }

  func hasChanged() -> Bool { false }

  /// Reads on. What lies before `offset` and was not read is passed over; nothing is read twice.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    guard offset >= position else { throw .changed(name) }
    var filled = 0
    while filled < buffer.byteCount {
      guard used < bytes.count || refill() else { break }
      let gap = offset + Int64(filled) - position
      guard gap == 0 else {
        advance(Int(min(gap, Int64(bytes.count - used))))
        continue
      }
      let count = min(buffer.byteCount - filled, bytes.count - used)
      var target = buffer._mutatingExtracting(droppingFirst: filled)
      unsafe target.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes[used..<used + count]) }
      advance(count)
      filled += count
    }
    if let error { throw .transport(error) }
    return filled
  }

  private func advance(_ count: Int) {
    used += count
    position += Int64(count)
  }

  /// Waits for more bytes.
  ///
  /// - Returns: false at the end.
  private func refill() -> Bool {
    bytes.removeAll(keepingCapacity: true)
    used = 0
    return state.wait { state in
      if !state.arrived.isEmpty {
        swap(&state.arrived, &bytes)
        return true
      }
      guard state.isEnded else { return nil }
      error = state.error
      return false
    }
  }
}
