import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// Decodes a received part of a package, verifies the digest of each file and chunk in it, and writes them to a folder.
struct PartReader {
  /// The memory for entries that are decoded in one piece, in bytes.
  private static let maximumPieceByteCount = 16 << 20

  private let package: ObjectReference
  private let entries: [IndexEntry]
  private let range: Range<Int64>
  private let cancellation: Cancellation

  /// Reads the entries of a range from the index of the release.
  ///
  /// - Throws: `DocumentError` if the index is damaged.
  init(
    _ range: Range<Int64>, of package: ObjectReference, by index: PagedIndex, _ cancellation: Cancellation
  ) throws {
    self.package = package
    self.range = range
    self.cancellation = cancellation
    var entries: [IndexEntry] = []
    try index.read(packageBytes: package.byteCount, in: range) { entry in
      if TransferPlan.isFile(entry), entry.packedRange.overlaps(range) { entries.append(entry) }
    }
    self.entries = entries
  }

  /// Writes the entries and chunks that are completely in the range. Each written file has the content of one entry, or
  /// of consecutive chunks.
  ///
  /// - Parameters:
  ///   - file: The received bytes.
  ///   - start: The offset of the first received byte in the package.
  ///   - folder: An empty folder. The names of the files are offsets, never names from the package.
  /// - Throws: `IntegrityError` for other content, `FileError`, `SourceError`, `Interruption`.
  func write(_ file: InputFile, at start: Int64, into folder: borrowing DirectoryHandle) throws {
    let received = ReceivedEntries(
      RunBytes(PartBytes(file, at: start)), file.path, PieceBudget(byteCount: Self.maximumPieceByteCount))
    for entry in entries {
      try cancellation.check()
      if !entry.chunks.isEmpty {
        try write(chunksOf: entry, received, into: folder)
      } else if range.contains(entry.packedRange) {
        var output = try folder.createFile("\(entry.offset)".utf8, permissions: InstalledItem.filePermissions)
        try received.decode(entry) { block in
          try cancellation.check()
          try output.write(block)
        }
        try output.close()
      }
    }
  }

  private func write(
    chunksOf entry: IndexEntry, _ received: ReceivedEntries, into folder: borrowing DirectoryHandle
  ) throws {
    let locations = entry.chunkLocations.filter { range.contains($0.range) }
    guard let first = locations.first else { return }
    var output = try folder.createFile(
      "\(first.range.lowerBound)".utf8, permissions: InstalledItem.filePermissions)
    var buffer = [UInt8](repeating: 0, count: ChunkCutter.maximumSize)
    for location in locations {
      try cancellation.check()
      try received.decode(
        location.chunk, in: location.range, of: entry, isLast: location.index == entry.chunks.count - 1,
        into: &buffer)
      // UInt8 has no padding.
      try output.write(unsafe buffer.borrowedSpan.bytes.extracting(first: location.chunk.size))
    }
    try output.close()
  }
}

/// The bytes of a package from an offset on, in a file.
private struct PartBytes: PackageStream {
  private let file: InputFile
  private let start: Int64

  init(_ file: InputFile, at start: Int64) {
    self.file = file
    self.start = start
  }

  var name: String { file.name }
  var byteCount: Int64 { start + file.byteCount }
  var contentEncoding: String? { nil }

  func hasChanged() throws(SourceError) -> Bool { try file.hasChanged() }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    try file.read(at: offset - start, into: &buffer)
  }
}

extension Range<Int64> {
  /// Returns whether another range is within this one.
  fileprivate func contains(_ other: Range<Int64>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
