package import SafeFiles
import Support
package import ZipArchive

/// An ordered list of paths with indices, which is in a temporary file if it is large.
package struct PathSpool: Sendable {
  private let bytes: any ByteSource

  private init(_ bytes: any ByteSource) { self.bytes = bytes }

  private static let blockSize = 16 * 1024
  private static let numberLength = 4

  /// Writes paths sequentially.
  struct Writer {
    private let spool = SpoolBuffer(folder: FileSystem.temporaryFolder)
    private var block: [UInt8] = []
    /// The number of bytes written so far.
    private(set) var byteCount: Int64 = 0

    /// Appends a path with its index.
    ///
    /// - Throws: `FileError` if there is no room for a temporary file.
    mutating func append(_ path: EntryPath, _ index: UInt32) throws(FileError) {
      block.append(littleEndian: UInt32(path.count))
      block.append(littleEndian: index)
      block += path.part(0..<path.count)
      byteCount += Int64(2 * PathSpool.numberLength + path.count)
      if block.count >= PathSpool.blockSize { try write() }
    }

    private mutating func write() throws(FileError) {
      try spool.append(unsafe block.borrowedSpan.bytes)  // UInt8 has no padding
      block.removeAll(keepingCapacity: true)
    }

    /// Returns the spool of the written paths.
    ///
    /// - Throws: The same errors as `append`.
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

    /// Creates a reader of all paths.
    package init(_ spool: PathSpool) { self.init(spool, 0..<spool.bytes.byteCount) }

    /// Creates a reader of the paths in a range of the bytes that the writer counted.
    init(_ spool: PathSpool, _ range: Range<Int64>) {
      bytes = spool.bytes
      (offset, end) = (range.lowerBound, range.upperBound)
    }

    /// Reads the next path with its index; nil at the end.
    ///
    /// - Throws: `SourceError` if the spool cannot be read.
    package mutating func next() throws(SourceError) -> (path: EntryPath, index: UInt32)? {
      guard position < block.count || offset < end else { return nil }
      let length = try number()
      let index = try number()
      return (EntryPath(bytes: try readBytes(Int(length))), index)
    }

    private mutating func number() throws(SourceError) -> UInt32 {
      try readBytes(PathSpool.numberLength).uint32(at: 0)
    }

    private mutating func readBytes(_ count: Int) throws(SourceError) -> ArraySlice<UInt8> {
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
