/// A part of a file that can be decoded without the parts before it.
package protocol FilePart: Sendable {
  /// The size of the decoded part, in bytes.
  var size: Int { get }
}

/// A decoder for the parts of files, in any order. It belongs to one thread.
package protocol PartDecoder: ~Copyable {
  associatedtype Part: FilePart
  associatedtype Failure: Error

  /// Decodes a part to the start of `buffer`, which is at least as large.
  mutating func decode(_ part: Part, into buffer: inout [UInt8]) throws(Failure)
}

/// The work of idle threads, which decode parts of large files ahead of the threads that read the files.
package protocol ReadingHelpers: Sendable {
  /// Records the end of one part of a pass over many files.
  func passPartEnded()
  /// Decodes until the pass has ended. Must be called only after all parts of the pass have begun.
  func help()
}

/// The helpers that the readers of one pass share. Their memory is limited; a part that its reader decodes uses none of
/// it.
package final class DecodingHelpers<Decoder: PartDecoder & ~Copyable>: ReadingHelpers {
  /// A decoded part: memory that begins with its bytes, or the error.
  package typealias Decoded = Result<[UInt8], Decoder.Failure>

  /// A started part, which the thread that started it must decode.
  package struct Task {
    fileprivate let file: Int
    fileprivate let index: Int
    fileprivate let part: Decoder.Part
    /// Reused memory; empty if the thread must allocate it.
    fileprivate var piece: [UInt8]
  }

  /// The step of a reader toward its next part.
  package enum Step {
    /// The part is decoded.
    case decoded(Decoded)
    /// The reader must decode the part itself.
    case decode
    /// Another thread is decoding the part; meanwhile, the reader can decode a later part.
    case decodeAhead(Task)
  }

  /// A file that is being read.
  private struct File {
    let parts: [Decoder.Part]
    /// The index of the first part that is not started.
    var next = 0
    /// Decoded parts that the reader has not received.
    var decoded: [Int: Decoded] = [:]
  }

  private struct State {
    var files: [Int: File] = [:]
    var fileCount = 0
    /// Memory that is not in use.
    var pieces: [[UInt8]] = []
    /// The remaining capacity for more memory, in bytes.
    var remainingCapacity: Int
    /// The number of parts of the pass that have not ended yet.
    var passParts: Int
  }

  private let makeDecoder: @Sendable () -> Decoder
  private let monitor: Monitor<State>

  /// Creates the helpers of one pass.
  ///
  /// - Parameters:
  ///   - passParts: The number of parts of the pass.
  ///   - capacity: The maximum size of all pieces of memory together, in bytes.
  ///   - makeDecoder: Creates the decoder of one thread.
  package init(passParts: Int, capacity: Int, makeDecoder: @escaping @Sendable () -> Decoder) {
    self.makeDecoder = makeDecoder
    monitor = Monitor(State(remainingCapacity: capacity, passParts: passParts))
  }

  package func passPartEnded() { monitor.update { $0.passParts -= 1 } }

  package func help() {
    var decoder = makeDecoder()
    while var task = monitor.wait({ Self.nextTask(&$0) }) { decode(&task, with: &decoder) }
  }

  /// Starts the next part that a helper can decode.
  ///
  /// - Returns: Nil to wait; the inner value is nil at the end.
  private static func nextTask(_ state: inout State) -> Task?? {
    guard state.passParts > 0 else { return .some(nil) }
    for fileID in state.files.keys.sorted() {
      if let task = start(fileID, &state) { return task }
    }
    return nil
  }

  /// Starts the next part of a file if there is memory for it.
  private static func start(_ fileID: Int, _ state: inout State) -> Task? {
    guard let file = state.files[fileID], file.next < file.parts.count,
      let piece = memory(for: file.parts[file.next], &state)
    else { return nil }
    state.files[fileID]?.next += 1
    return Task(file: fileID, index: file.next, part: file.parts[file.next], piece: piece)
  }

  private static func memory(for part: Decoder.Part, _ state: inout State) -> [UInt8]? {
    let size = HelperMemory.pieceSize(part)
    if let index = state.pieces.firstIndex(where: { $0.count >= size }) {
      return state.pieces.remove(at: index)
    }
    while state.remainingCapacity < size, let small = state.pieces.popLast() {
      state.remainingCapacity += small.count
    }
    guard state.remainingCapacity >= size else { return nil }
    state.remainingCapacity -= size
    return []
  }

  /// Decodes a started part for the reader of its file. Moves the memory out of `task`, because a second reference
  /// would cause a copy.
  package func decode(_ task: inout Task, with decoder: inout Decoder) {
    if task.piece.isEmpty { task.piece = [UInt8](repeating: 0, count: HelperMemory.pieceSize(task.part)) }
    var piece = exchange(&task.piece, with: [])
    let byteCount = piece.count
    let result: Decoded
    do throws(Decoder.Failure) {
      try decoder.decode(task.part, into: &piece)
      result = .success(piece)
    } catch {
      result = .failure(error)
    }
    piece = []
    let (file, index) = (task.file, task.index)
    monitor.update { state in
      if case .failure = result { state.remainingCapacity += byteCount }
      if state.files[file] != nil {
        state.files[file]?.decoded[index] = result
      } else if case .success(let piece) = result {
        state.pieces.append(piece)
      }
    }
  }
}

/// The memory of helpers.
private enum HelperMemory {
  /// The unit of the sizes of pieces, in bytes: so large that most parts fit into any piece.
  private static let pieceSizeUnit = 1 << 19

  static func pieceSize(_ part: some FilePart) -> Int {
    (part.size + pieceSizeUnit - 1) / pieceSizeUnit * pieceSizeUnit
  }
}

// MARK: - Reading

extension DecodingHelpers where Decoder: ~Copyable {
  /// Offers the parts of a file to the helpers.
  ///
  /// - Returns: The identifier of the file for the other calls.
  package func begin(_ parts: [Decoder.Part]) -> Int {
    monitor.update { state in
      state.fileCount += 1
      state.files[state.fileCount] = File(parts: parts)
      return state.fileCount
    }
  }

  /// Returns the next step toward the part at `index`, and waits if there is none.
  package func step(towards index: Int, of fileID: Int) -> Step {
    monitor.wait { state in
      if let result = state.files[fileID]?.decoded.removeValue(forKey: index) { return .decoded(result) }
      if state.files[fileID]?.next == index {
        state.files[fileID]?.next += 1
        return .decode
      }
      return Self.start(fileID, &state).map(Step.decodeAhead)
    }
  }

  /// Takes back the memory of a received part.
  package func release(_ piece: inout [UInt8]) {
    monitor.update { $0.pieces.append(exchange(&piece, with: [])) }
  }

  /// Ends the reading of a file.
  package func end(_ fileID: Int) {
    monitor.update { state in
      guard let file = state.files.removeValue(forKey: fileID) else { return }
      for case .success(let piece) in file.decoded.values { state.pieces.append(piece) }
    }
  }
}
