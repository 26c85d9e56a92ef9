package import SafeFiles
import Support

/// Threads without other work, which decode segments of large entries ahead of the threads that read the entries.
///
/// The readers of a pass share one instance. Its memory is limited, and a reader without helpers needs none of it.
package final class DecodingHelpers: Sendable {
  /// The maximum number of decoded bytes that wait for their readers.
  private static let capacity = 16 << 20

  /// The step of a reader towards its next segment.
  enum Step {
    /// The segment is decoded.
    case take(Result<[UInt8], EntryDecodingError<Never>>)
    /// The reader must decode the segment itself.
    case decode
    /// Another thread is decoding the segment; meanwhile, the reader can decode this later one.
    case decodeAhead(Int)
  }

  /// An entry that is being read.
  private struct Entry {
    let segments: [SegmentPosition]
    /// The index of the first segment that no thread has started.
    var next = 0
    /// Decoded segments that the reader has not received.
    var decoded: [Int: Result<[UInt8], EntryDecodingError<Never>>] = [:]
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var entryCount = 0
    /// The remaining capacity, in bytes.
    var room = DecodingHelpers.capacity
    /// The number of parts of the pass that have not ended.
    var parts: Int
  }

  private let source: any ByteSource
  private let monitor: Monitor<State>

  /// - Parameters:
  ///   - source: The archive that the pass reads.
  ///   - parts: The number of parts of the pass.
  package init(source: any ByteSource, parts: Int) {
    self.source = source
    monitor = Monitor(State(parts: parts))
  }

  /// Records that one part of the pass has ended.
  package func partEnded() { monitor.update { $0.parts -= 1 } }

  /// Decodes segments until all parts of the pass have ended. All parts must have been started.
  package func help() {
    var decoder = SegmentDecoder(source: source)
    while let task = monitor.wait({ Self.nextTask(&$0) }) {
      decode(task.index, of: task.entry, at: task.position, with: &decoder)
    }
  }

  private typealias Task = (entry: Int, index: Int, position: SegmentPosition)

  /// - Returns: Nil to wait; the inner value is nil at the end.
  private static func nextTask(_ state: inout State) -> Task?? {
    guard state.parts > 0 else { return .some(nil) }
    for number in state.entries.keys.sorted() {
      guard let entry = state.entries[number], let index = claim(number, &state) else { continue }
      return (number, index, entry.segments[index])
    }
    return nil
  }

  /// Starts the next segment of an entry if there is room for it.
  private static func claim(_ number: Int, _ state: inout State) -> Int? {
    guard let entry = state.entries[number], entry.next < entry.segments.count,
      entry.segments[entry.next].segment.size <= state.room
    else { return nil }
    state.entries[number]?.next += 1
    state.room -= entry.segments[entry.next].segment.size
    return entry.next
  }

  /// Decodes a started segment for the reader of its entry.
  func decode(
    _ index: Int, of entry: Int, at position: SegmentPosition, with decoder: inout SegmentDecoder
  ) {
    var piece = [UInt8](repeating: 0, count: position.segment.size)
    let result: Result<[UInt8], EntryDecodingError<Never>>
    do throws(EntryDecodingError<Never>) {
      try decoder.decode(position, into: &piece) { (_: RawSpan) throws(EntryDecodingError<Never>) in }
      result = .success(piece)
    } catch {
      result = .failure(error)
    }
    monitor.update { state in
      state.entries[entry]?.decoded[index] = result
      if state.entries[entry] == nil { state.room += position.segment.size }
    }
  }
}

// MARK: - Reading

extension DecodingHelpers {
  /// Offers the segments of an entry to the helpers.
  ///
  /// - Returns: The number of the entry for the other calls.
  func begin(_ segments: [SegmentPosition]) -> Int {
    monitor.update { state in
      state.entryCount += 1
      state.entries[state.entryCount] = Entry(segments: segments)
      return state.entryCount
    }
  }

  /// Returns the next step towards the segment at `index`, and waits if there is none.
  func step(towards index: Int, of number: Int) -> Step {
    monitor.wait { state in
      if let result = state.entries[number]?.decoded.removeValue(forKey: index) { return .take(result) }
      if state.entries[number]?.next == index {
        state.entries[number]?.next += 1
        return .decode
      }
      return Self.claim(number, &state).map(Step.decodeAhead)
    }
  }

  /// Releases the memory of a received segment.
  func release(_ position: SegmentPosition) { monitor.update { $0.room += position.segment.size } }

  /// Ends the reading of an entry.
  func end(_ number: Int) {
    monitor.update { state in
      guard let entry = state.entries.removeValue(forKey: number) else { return }
      for index in entry.decoded.keys { state.room += entry.segments[index].segment.size }
    }
  }
}
