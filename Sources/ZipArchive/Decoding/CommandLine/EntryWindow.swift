#if COMMAND_LINE_TOOL
import CArchive
import SafeFiles
import SystemPackage

/// A virtual one-entry archive for libarchive: headers generated from an accepted header, and the entry's data from the
/// real file.
///
/// libarchive takes names, methods and kinds from local file headers, normalizes names, and lets extra fields change
/// the meaning of an entry. Through a window it reads none of the untrusted headers and only decodes the data, in every
/// locale. Entries can be read in any order.
@safe final class EntryWindow {
  /// The size of a block. A smaller entry takes one read.
  private static let blockSize = 256 * 1024
  /// The number of bytes at the end in which libarchive's seekable ZIP reader searches for the end record. For a large
  /// entry, padding of this size separates the data from the record, so that the data are read once, and in order.
  private static let searchedBytes = 16 * 1024

  private let source: any ByteSource
  /// Owned memory instead of an array, because libarchive keeps the pointer until it requests the next block.
  private let block: UnsafeMutableRawBufferPointer
  /// The part of the window that is in `block`.
  private var loaded: Range<Int64> = 0..<0
  private var head: [UInt8] = []
  private var data: Range<Int64> = 0..<0
  private var tail: [UInt8] = []
  private var position: Int64 = 0
  /// The number of bytes that libarchive may still read.
  private var remainingByteCount = Int64.max
  /// Whether libarchive has requested bytes after the entry's data, which it does once it has used up all of the data.
  private(set) var isExhausted = false
  /// The error of the last read, if it failed.
  private(set) var error: SourceError?

  init(on source: any ByteSource) {
    self.source = source
    unsafe block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
  }

  deinit { unsafe block.deallocate() }

  private var byteCount: Int64 { Int64(head.count) + Int64(data.count) + Int64(tail.count) }

  /// Makes `entry` the content of the window.
  func show(_ entry: ZipEntry) {
    // Below 2^32: the package size limit is checked before any entry is decoded.
    let header = EntryHeader(
      path: EntryPath("entry"), kind: .file, method: entry.method, crc32: entry.crc32,
      compressedSize: UInt32(clamping: entry.compressedSize), size: UInt32(clamping: entry.size), time: .first
    )
    head = header.localFileHeader()
    data = entry.dataOffset..<entry.dataOffset + entry.compressedSize
    let record = header.centralDirectoryHeader(offset: 0)
    let padding = data.count > Self.blockSize ? Self.searchedBytes : 0
    let directory = CentralDirectory(
      offset: Int64(head.count) + entry.compressedSize + Int64(padding), byteCount: Int64(record.count),
      entryCount: 1)
    tail = [UInt8](repeating: 0, count: padding) + record + directory.endRecords()
    rewind()
  }

  /// Makes the whole source the content of the window: an archive or a compressed file inside the content.
  ///
  /// libarchive gets at most `limit` bytes until `removeLimit` is called.
  func showEverything(limitedTo limit: Int64) {
    head = []
    data = 0..<source.byteCount
    tail = []
    rewind()
    remainingByteCount = limit
  }

  /// Resets `isExhausted`, to detect whether libarchive requests more than the entry's data.
  func resetExhaustion() { isExhausted = false }

  /// Removes the limit of `showEverything`.
  func removeLimit() { remainingByteCount = .max }

  private func rewind() {
    loaded = 0..<0
    position = 0
    error = nil
  }

  /// Moves the read position.
  ///
  /// - Returns: The new position, or nil if it is outside the window.
  func seek(_ offset: Int64, from whence: CInt) -> Int64? {
    let base: Int64
    switch whence {
    case 0: base = 0  // SEEK_SET
    case 1: base = position  // SEEK_CUR
    default: base = byteCount  // SEEK_END
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0, target <= byteCount else { return nil }
    position = target
    return position
  }

  /// Returns the bytes at the read position and advances past them. Bytes after the entry's data form a separate block,
  /// so that a request for them is detected.
  ///
  /// - Returns: Bytes that stay valid until the next call, empty at the end; nil if the source cannot be read, with the
  ///   error in `error`, or if the limit is reached.
  func next() -> UnsafeRawBufferPointer? {
    guard remainingByteCount > 0 else { return nil }
    let dataEnd = Int64(head.count) + Int64(data.count)
    if position >= dataEnd { isExhausted = true }
    if !loaded.contains(position), position < byteCount {
      do throws(SourceError) { try load() } catch {
        self.error = error
        return nil
      }
    }
    let end = position < dataEnd ? min(dataEnd, loaded.upperBound) : loaded.upperBound
    let rest =
      position < end ? Int(position - loaded.lowerBound)..<Int(end - loaded.lowerBound) : 0..<0
    position += Int64(rest.count)
    remainingByteCount -= Int64(rest.count)
    return unsafe UnsafeRawBufferPointer(rebasing: block[rest])
  }

  /// Fills the block from the current position, or with the whole window if it fits.
  private func load() throws(SourceError) {
    let dataStart = Int64(head.count)
    let isSmall = byteCount <= Int64(Self.blockSize)
    let start = isSmall ? 0 : position
    // libarchive reads the start twice: when it opens the archive, and after it has found the directory.
    let end = start < dataStart && !isSmall ? dataStart : byteCount
    let wanted = start..<min(start + Int64(Self.blockSize), end)
    let tailStart = dataStart + Int64(data.count)
    var filled = 0
    for index in wanted.clamped(to: 0..<dataStart) {
      unsafe block[filled] = head[Int(index)]
      filled += 1
    }
    let fromSource = wanted.clamped(to: dataStart..<tailStart)
    if !fromSource.isEmpty {
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: block[filled..<filled + fromSource.count])
      var part = unsafe target.mutableBytes
      let read = try source.read(at: data.lowerBound + fromSource.lowerBound - dataStart, into: &part)
      guard read == fromSource.count else { throw .endedEarly(source.name) }
      filled += read
    }
    for index in wanted.clamped(to: tailStart..<byteCount) {
      unsafe block[filled] = tail[Int(index - tailStart)]
      filled += 1
    }
    loaded = wanted
  }
}
#endif
