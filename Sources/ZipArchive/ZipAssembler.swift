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
  /// What is still to be copied of another archive; entries that lie one behind the other are copied at once.
  private var pending: (source: InputFile, range: Range<Int64>)?
  /// The central directory of that archive.
  private var records: (source: InputFile, window: ByteWindow<InputFile>)?
  /// The most that is left pending, in bytes, so that work goes on evenly.
  private static let mostPending = 1 << 24

  /// - Parameter output: where the archive goes; handed back by `finish()`.
  package init(into output: consuming StagedOutput) { self.output = output }

  /// Bytes written so far, without the central directory.
  package var byteCount: Int64 { offset }

  /// Adds an entry with headers of our own.
  package mutating func append(_ header: EntryHeader, data: EntryData) throws(FileFailure) {
    // Below 2^32: the whole content is at most the size limit, which is checked before.
    list(header.centralRecord(offset: UInt32(clamping: offset)))
    try write(.memory(header.localHeader()[...]))
    try write(data)
  }

  /// Copies an entry of another archive as it is: local header, data, descriptor and central record; only the
  /// place in the file changes.
  package mutating func copy(_ entry: ZipEntry, from source: InputFile) throws(FileFailure) {
    var record = try centralRecord(of: entry, in: source)
    for (index, place) in entry.offsetField.enumerated() where record.indices.contains(place) {
      record[place] = UInt8(truncatingIfNeeded: offset >> (8 * index))
    }
    list(record)
    let range = entry.localHeaderOffset..<entry.endOffset
    if let (last, before) = pending, last === source, before.upperBound == range.lowerBound,
      before.count < Self.mostPending
    {
      pending = (source, before.lowerBound..<range.upperBound)
    } else {
      try copyPending()
      pending = (source, range)
    }
    offset += Int64(range.count)
  }

  private mutating func centralRecord(of entry: ZipEntry, in source: InputFile) throws(FileFailure) -> [UInt8]
  {
    if records?.source !== source { records = (source, ByteWindow(on: source, capacity: 64 * 1024)) }
    let place = entry.centralRecord
    guard let record = try records?.window.bytes(at: place.lowerBound, count: place.count) else {
      throw FileFailure(.read, source.path, .ioError, detail: "it became shorter while it was read")
    }
    return Array(record)
  }

  private mutating func copyPending() throws(FileFailure) {
    guard let (source, range) = pending else { return }
    pending = nil
    try output.copy(from: source, range: range)
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
