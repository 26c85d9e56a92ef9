package import SafeFiles
import Support
package import ZipArchive

/// An ordered list of paths with a number each; in a temporary file once it is large.
package struct PathSpool: Sendable {
  private let bytes: any ByteSource

  private init(_ bytes: any ByteSource) { self.bytes = bytes }

  private static let blockSize = 16 * 1024
  private static let numberBytes = 4

  /// Appends paths sequentially.
  struct Writer {
    private let spool = SpoolBuffer(folder: FileSystem.temporaryFolder)
    private var block: [UInt8] = []
    /// Bytes of the paths and numbers so far.
    private(set) var byteCount: Int64 = 0

    /// - Throws: `FileError` if there is no room for a temporary file.
    mutating func append(_ path: EntryPath, _ number: UInt32) throws(FileError) {
      block.append(littleEndian: UInt32(path.count))
      block.append(littleEndian: number)
      block += path.part(0..<path.count)
      byteCount += Int64(2 * PathSpool.numberBytes + path.count)
      if block.count >= PathSpool.blockSize { try write() }
    }

    private mutating func write() throws(FileError) {
      try spool.append(unsafe block.borrowedSpan.bytes)  // any UInt8 is a byte
      block.removeAll(keepingCapacity: true)
    }

    /// - Throws: as `append`.
    consuming func finish() throws(FileError) -> PathSpool {
      try write()
      return PathSpool(try spool.finish())
    }
  }

  /// Reads the paths sequentially.
  package struct Reader {
    private let bytes: any ByteSource
    private var offset: Int64
    private let end: Int64
    private var block: [UInt8] = []
    private var position = 0

    package init(_ spool: PathSpool) { self.init(spool, 0..<spool.bytes.byteCount) }

    /// Reads only the paths in some of the bytes that the writer counted.
    init(_ spool: PathSpool, _ range: Range<Int64>) {
      bytes = spool.bytes
      (offset, end) = (range.lowerBound, range.upperBound)
    }

    /// The next path with its number; nil at the end.
    ///
    /// - Throws: `SourceError` if it cannot be read.
    package mutating func next() throws(SourceError) -> (path: EntryPath, number: UInt32)? {
      guard position < block.count || offset < end else { return nil }
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
        let wanted = min(end - offset, Int64(max(PathSpool.blockSize, count)))
        let more = try bytes.bytes(at: offset, count: Int(wanted))
        offset += Int64(more.count)
        block += more
        guard block.count >= count else { throw .endedEarly(bytes.name) }
      }
      defer { position += count }
      return block[position..<position + count]
    }
  }
}
