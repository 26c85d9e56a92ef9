package import SafeFiles
import SystemPackage

/// Lays finished entries down as one archive, in the order in which they come, without compressing anything.
package struct ZipAssembler: ~Copyable {
  private var output: StagedOutput
  /// The central directory in pieces, since one array would be copied again and again as it grows.
  private var directory: [[UInt8]] = []
  private static let pieceSize = 1 << 18
  private var entryCount = 0
  private var offset: Int64 = 0
  private var original: Original?

  /// Another archive that entries are copied from.
  private struct Original {
    let file: InputFile
    /// Its central directory.
    var records: ByteWindow<InputFile>
    /// What is still to be copied: entries that lie one behind the other are copied at once.
    var pending: Range<Int64> = 0..<0

    init(_ file: InputFile) {
      self.file = file
      records = ByteWindow(on: file, capacity: 64 * 1024)
    }

    mutating func centralRecord(of entry: ZipEntry) throws(FileFailure) -> [UInt8] {
      let place = entry.centralRecord
      guard let record = try records.bytes(at: place.lowerBound, count: place.count) else {
        throw FileFailure(.read, file.path, .ioError, detail: "it became shorter while it was read")
      }
      return Array(record)
    }
  }

  /// The most that is left to be copied, in bytes, so that work goes on evenly.
  private static let mostPending = 1 << 24

  /// - Parameter output: where the archive goes; handed back by `finish()`.
  package init(into output: consuming StagedOutput) { self.output = output }

  /// Adds an entry with headers of our own.
  package mutating func append(_ header: EntryHeader, data: EntryData) throws(FileFailure) {
    // Below 2^32: content, and an archive that entries are copied from, are at most the size limit.
    list(header.centralRecord(offset: UInt32(clamping: offset)))
    try write(.memory(header.localHeader()[...]))
    try write(data)
  }

  /// Copies an entry of another archive as it is: local header, data, descriptor and central record; only the
  /// place in the file changes.
  package mutating func copy(_ entry: ZipEntry, from source: InputFile) throws(FileFailure) {
    var origin = try takeOriginal(source)
    var record = try origin.centralRecord(of: entry)
    for (index, place) in entry.offsetField.enumerated() where record.indices.contains(place) {
      record[place] = UInt8(truncatingIfNeeded: offset >> (8 * index))
    }
    list(record)
    let range = entry.localHeaderOffset..<entry.endOffset
    offset += Int64(range.count)
    if origin.pending.upperBound == range.lowerBound, origin.pending.count < Self.mostPending {
      origin.pending = origin.pending.lowerBound..<range.upperBound
    } else {
      try output.copy(from: source, range: origin.pending)
      origin.pending = range
    }
    original = origin
  }

  /// What is known of the archive that entries are copied from.
  private mutating func takeOriginal(_ file: InputFile) throws(FileFailure) -> Original {
    if let original, original.file === file { return original }
    try copyPending()
    return Original(file)
  }

  private mutating func copyPending() throws(FileFailure) {
    guard let original, !original.pending.isEmpty else { return }
    try output.copy(from: original.file, range: original.pending)
    self.original?.pending = 0..<0
  }

  /// Writes the central directory and the end record.
  ///
  /// - Returns: the output, to be committed.
  package consuming func finish() throws(FileFailure) -> StagedOutput {
    try copyPending()
    let records = CentralDirectory(
      offset: offset, byteCount: directory.reduce(0) { $0 + Int64($1.count) }, entryCount: entryCount)
    for piece in directory + [records.endRecords()] { try output.write(unsafe piece.span.bytes) }
    return output
  }

  /// Notes the central record of an entry.
  private mutating func list(_ record: [UInt8]) {
    entryCount += 1
    if let last = directory.indices.last, directory[last].count + record.count <= Self.pieceSize {
      directory[last] += record
    } else {
      directory.append(record)
      directory[directory.count - 1].reserveCapacity(Self.pieceSize)
    }
  }

  private mutating func write(_ data: EntryData) throws(FileFailure) {
    try copyPending()
    switch data {
    case .memory(let bytes): try output.write(unsafe bytes.span.bytes)
    case .file(let file, let range): try output.copy(from: file, range: range)
    }
    offset += data.byteCount
  }
}
