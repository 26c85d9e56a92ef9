package import SafeFiles
import Support

/// Threads without other work, which decode segments of large entries ahead of the threads that read the entries.
///
/// The readers of a pass share one instance. Its memory is limited, and a reader without helpers needs none of it.
package final class DecodingHelpers: Sendable {
  /// The maximum size of all pieces of memory together, in bytes.
  private static let capacity = 16 << 20
  /// The sizes of pieces are multiples of this, so that most segments fit into any of them.
  private static let pieceSizeUnit = 1 << 19

  /// A decoded segment: memory that begins with its bytes, or the reason why there are none.
  typealias Decoded = Result<[UInt8], EntryDecodingError<Never>>

  /// A started segment, which the thread that started it must decode.
  struct Task {
    fileprivate let entry: Int
    fileprivate let index: Int
    fileprivate let position: SegmentPosition
    /// Reused memory; empty if the thread must allocate it.
    fileprivate var piece: [UInt8]
  }

  /// The step of a reader towards its next segment.
  enum Step {
    /// The segment is decoded.
    case take(Decoded)
    /// The reader must decode the segment itself.
    case decode
    /// Another thread is decoding the segment; meanwhile, the reader can decode a later one.
    case decodeAhead(Task)
  }

  /// An entry that is being read.
  private struct Entry {
    let segments: [SegmentPosition]
    /// The index of the first segment that no thread has started.
    var next = 0
    /// Decoded segments that the reader has not received.
    var decoded: [Int: Decoded] = [:]
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var entryCount = 0
    /// Memory that is not in use.
    var pieces: [[UInt8]] = []
    /// The remaining capacity for more memory, in bytes.
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
    while let task = monitor.wait({ Self.nextTask(&$0) }) { decode(task, with: &decoder) }
  }

  /// - Returns: Nil to wait; the inner value is nil at the end.
  private static func nextTask(_ state: inout State) -> Task?? {
    guard state.parts > 0 else { return .some(nil) }
    for number in state.entries.keys.sorted() {
      if let task = start(number, &state) { return task }
    }
    return nil
  }

  /// Starts the next segment of an entry if there is memory for it.
  private static func start(_ number: Int, _ state: inout State) -> Task? {
    guard let entry = state.entries[number], entry.next < entry.segments.count,
      let piece = memory(for: entry.segments[entry.next], &state)
    else { return nil }
    state.entries[number]?.next += 1
    return Task(entry: number, index: entry.next, position: entry.segments[entry.next], piece: piece)
  }

  private static func pieceSize(_ position: SegmentPosition) -> Int {
    (position.segment.size + pieceSizeUnit - 1) / pieceSizeUnit * pieceSizeUnit
  }

  private static func memory(for position: SegmentPosition, _ state: inout State) -> [UInt8]? {
    let size = pieceSize(position)
    if let index = state.pieces.firstIndex(where: { $0.count >= size }) {
      return state.pieces.remove(at: index)
    }
    while state.room < size, let small = state.pieces.popLast() { state.room += small.count }
    guard state.room >= size else { return nil }
    state.room -= size
    return []
  }

  /// Decodes a started segment for the reader of its entry.
  func decode(_ task: consuming Task, with decoder: inout SegmentDecoder) {
    if task.piece.isEmpty { task.piece = [UInt8](repeating: 0, count: Self.pieceSize(task.position)) }
    var piece = exchange(&task.piece, with: [])
    let byteCount = piece.count
    let result: Decoded
    do throws(EntryDecodingError<Never>) {
      try decoder.decode(task.position, into: &piece) { (_: RawSpan) throws(EntryDecodingError<Never>) in }
      result = .success(piece)
    } catch {
      result = .failure(error)
    }
    piece = []
    let (entry, index) = (task.entry, task.index)
    monitor.update { state in
      if case .failure = result { state.room += byteCount }
      if state.entries[entry] != nil {
        state.entries[entry]?.decoded[index] = result
      } else if case .success(let piece) = result {
        state.pieces.append(piece)
      }
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
      return Self.start(number, &state).map(Step.decodeAhead)
    }
  }

  /// Returns the memory of a received segment.
  func release(_ piece: [UInt8]) { monitor.update { $0.pieces.append(piece) } }

  /// Ends the reading of an entry.
  func end(_ number: Int) {
    monitor.update { state in
      guard let entry = state.entries.removeValue(forKey: number) else { return }
      for case .success(let piece) in entry.decoded.values { state.pieces.append(piece) }
    }
  }
}
