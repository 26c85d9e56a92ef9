#if COMMAND_LINE_TOOL
package import SafeFiles
package import Support
import SystemPackage

/// Writes finished entries as one archive, in the order of the calls. It compresses nothing.
package struct ZipWriter: ~Copyable {
  private var output: StagedOutput
  private let cancellation: Cancellation
  /// The central directory, spooled until the entries are written.
  private let directory: SpoolBuffer
  private var directoryBytes: Int64 = 0
  private var entryCount = 0
  private var offset: Int64 = 0
  private var original: Original?

  /// Another archive, from which entries are copied.
  private struct Original {
    let file: InputFile
    /// The window on its central directory.
    var records: ByteWindow<InputFile>
    /// The range that is still to be copied. Adjacent entries are copied together.
    var pending: Range<Int64> = 0..<0

    init(_ file: InputFile) {
      self.file = file
      records = ByteWindow(on: file, capacity: 64 * 1024)
    }

    mutating func centralDirectoryHeader(of entry: ZipEntry) throws(SourceError) -> [UInt8] {
      let range = entry.centralDirectoryHeader
      guard let record = try records.bytes(at: range.lowerBound, count: range.count) else {
        throw .endedEarly(file.path)
      }
      return Array(record)
    }
  }

  /// The number of pending bytes from which no further entry is added to them, so that progress is even.
  private static let maximumPendingByteCount = 1 << 24

  /// The maximum size of the records at the end of an archive (APPNOTE 4.3.14 to 4.3.16).
  package static let maximumEndSize = Int64(
    Zip64EndOfCentralDirectory.fixedSize + Zip64Locator.fixedSize + EndOfCentralDirectory.fixedSize)

  /// Creates a writer of an empty archive.
  ///
  /// - Parameters:
  ///   - output: The output of the archive. `finish()` returns it.
  ///   - spoolFolder: The folder of the temporary file for a large central directory.
  ///   - cancellation: Ends the copying of data early, with `Interruption`.
  package init(into output: consuming StagedOutput, spoolFolder: String, cancellation: Cancellation) {
    self.output = output
    self.cancellation = cancellation
    directory = SpoolBuffer(folder: spoolFolder)
  }

  /// Adds an entry with headers that iapkg generates.
  ///
  /// Calls `written` with the size of each written piece of the data.
  ///
  /// - Throws: `SourceError`; `Interruption` after a cancellation.
  package mutating func append(
    _ header: EntryHeader, data: any ByteSource, _ written: (Int64) -> Void = { _ in }
  ) throws {
    // Below 2^32, because content and archives never exceed the size limit.
    try list(header.centralDirectoryHeader(offset: UInt32(clamping: offset)))
    try copyPending(written)
    try write(MemoryBytes(header.localFileHeader()))
    try write(data, written)
  }

  /// Copies an entry of another archive unchanged: local file header, data, data descriptor and central directory
  /// header. Only the offset changes. Calls `written` with the size of each copied piece.
  ///
  /// - Throws: `SourceError`; `Interruption` after a cancellation.
  package mutating func copy(
    _ entry: ZipEntry, from source: InputFile, _ written: (Int64) -> Void = { _ in }
  ) throws {
    var origin = try originalState(of: source)
    var record = try origin.centralDirectoryHeader(of: entry)
    for (index, position) in entry.offsetField.enumerated() where record.indices.contains(position) {
      record[position] = UInt8(truncatingIfNeeded: offset >> (8 * index))
    }
    try list(record)
    let range = entry.localHeaderOffset..<entry.endOffset
    offset += Int64(range.count)
    if origin.pending.upperBound == range.lowerBound, origin.pending.count < Self.maximumPendingByteCount {
      origin.pending = origin.pending.lowerBound..<range.upperBound
    } else {
      try copy(source, origin.pending, written)
      origin.pending = range
    }
    original = origin
  }

  /// Returns the state of the archive from which entries are copied.
  private mutating func originalState(of file: InputFile) throws -> Original {
    if let original, original.file === file { return original }
    try copyPending()
    return Original(file)
  }

  private mutating func copyPending(_ written: (Int64) -> Void = { _ in }) throws {
    guard let original, !original.pending.isEmpty else { return }
    try copy(original.file, original.pending, written)
    self.original?.pending = 0..<0
  }

  /// Writes the central directory and the end record.
  ///
  /// - Returns: The output, which the caller must commit.
  /// - Throws: `SourceError`; `Interruption` after a cancellation.
  package consuming func finish(_ written: (Int64) -> Void = { _ in }) throws -> StagedOutput {
    try copyPending(written)
    let directory: any ByteSource
    let end = CentralDirectory(offset: offset, byteCount: directoryBytes, entryCount: entryCount).endRecords()
    do throws(FileError) { directory = try self.directory.finish() } catch { throw SourceError.file(error) }
    for part in [directory, MemoryBytes(end)] { try output.copy(from: part, range: 0..<part.byteCount) }
    return output
  }

  /// Adds the central directory header of an entry.
  private mutating func list(_ record: [UInt8]) throws(SourceError) {
    entryCount += 1
    directoryBytes += Int64(record.count)
    do throws(FileError) { try directory.append(unsafe record.borrowedSpan.bytes) } catch {
      throw .file(error)
    }
  }

  private mutating func write(
    _ data: any ByteSource, _ written: (Int64) -> Void = { _ in }
  ) throws {
    try copyPending()
    try copy(data, 0..<data.byteCount, written)
    offset += data.byteCount
  }

  /// Copies a range in pieces, and checks for a cancellation before each.
  private mutating func copy(
    _ source: any ByteSource, _ range: Range<Int64>, _ written: (Int64) -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      try cancellation.check()
      let end = min(position + OutputFile.maximumCopyByteCount, range.upperBound)
      try output.copy(from: source, range: position..<end, written)
      position = end
    }
  }
}
#endif
