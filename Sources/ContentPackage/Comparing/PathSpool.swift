import SafeFiles
import ZipArchive

/// Paths with a number each, in the order in which they are to be read again: in a temporary file once there are many.
struct PathSpool: Sendable {
  private let bytes: any ByteSource

  /// - Parameter fill: hands on the paths, to be added with their numbers.
  /// - Throws: `FileError` if there is no room for a temporary file, and what `fill` throws.
  init(filledBy fill: ((EntryPath, UInt32) throws -> Void) throws -> Void) throws {
    let spool = SpoolBuffer(folder: FileSystem.temporaryFolder)
    var block: [UInt8] = []
    func write() throws {
      try spool.append(unsafe block.span.bytes)  // any UInt8 is a byte
      block.removeAll(keepingCapacity: true)
    }
    try fill { path, number in
      block.append(littleEndian: UInt32(path.count))
      block.append(littleEndian: number)
      block += path.part(0..<path.count)
      if block.count >= Self.blockSize { try write() }
    }
    try write()
    bytes = try spool.finish()
  }

  /// Finds the paths with these numbers.
  ///
  /// - Parameter numbers: in the order of the paths.
  /// - Returns: the paths, in the same order.
  /// - Throws: `SourceError` if they cannot be read.
  func paths(numbered numbers: [UInt32]) throws(SourceError) -> [EntryPath] {
    var paths = PathList()
    var rest = numbers[...]
    var reader = Reader(self)
    while let number = rest.first, let next = try reader.next() {
      guard next.number == number else { continue }
      paths.append(next.path)
      rest.removeFirst()
    }
    return paths.paths
  }

  private static let blockSize = 64 * 1024
  private static let numberBytes = 4

  /// Reads the paths one after the other.
  struct Reader {
    private let bytes: any ByteSource
    private var offset: Int64 = 0
    private var block: [UInt8] = []
    private var position = 0

    init(_ spool: PathSpool) { bytes = spool.bytes }

    /// The next path with its number; nil at the end.
    ///
    /// - Throws: `SourceError` if it cannot be read.
    mutating func next() throws(SourceError) -> (path: EntryPath, number: UInt32)? {
      guard position < block.count || offset < bytes.byteCount else { return nil }
      let length = try number()
      let number = try number()
      return (EntryPath(bytes: try take(Int(length))), number)
    }

    private mutating func number() throws(SourceError) -> UInt32 {
      try take(PathSpool.numberBytes).uint32(at: 0)
    }

    private mutating func take(_ count: Int) throws(SourceError) -> ArraySlice<UInt8> {
      if block.count - position < count {
        block.removeFirst(position)
        position = 0
        let more = try bytes.bytes(at: offset, count: max(PathSpool.blockSize, count))
        offset += Int64(more.count)
        block += more
        guard block.count >= count else { throw .endedEarly(bytes.name) }
      }
      defer { position += count }
      return block[position..<position + count]
    }
  }
}
