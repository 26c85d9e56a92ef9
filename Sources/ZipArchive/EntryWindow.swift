import CArchive
import SafeFiles
import SystemPackage

/// A one-entry archive that exists only while libarchive reads it: headers that we make of an accepted
/// record, and between them the entry's data where they lie in the real file.
///
/// libarchive takes names, methods and kinds from local headers, normalises names, and lets extra fields
/// change an entry's meaning. Shown a window, it sees none of the untrusted headers: it is a decoder for the
/// data and nothing else, in every locale, and any entry can be read without passing those before it.
@safe final class EntryWindow {
  /// How much is read at a time; an entry that is smaller costs one read.
  private static let blockSize = 256 * 1024

  private let source: any ByteSource
  /// Owned memory rather than an array, since libarchive keeps the pointer until it asks for the next block.
  private let block: UnsafeMutableRawBufferPointer
  /// The part of the window that `block` holds.
  private var loaded: Range<Int64> = 0..<0
  private var head: [UInt8] = []
  private var data: Range<Int64> = 0..<0
  private var tail: [UInt8] = []
  private var position: Int64 = 0
  /// Bytes that may still be lent.
  private var credit = Int64.max
  /// Why the last read failed, if it did.
  private(set) var failure: FileFailure?

  init(on source: any ByteSource) {
    self.source = source
    unsafe block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
  }

  deinit { unsafe block.deallocate() }

  private var byteCount: Int64 { Int64(head.count) + Int64(data.count) + Int64(tail.count) }

  /// Shows `entry` from now on.
  func show(_ entry: ZipEntry) {
    // Below 2^32, since no package is larger than the limit: checked before anything is decoded.
    let header = EntryHeader(
      path: EntryPath("entry"), kind: .file, method: entry.method, crc32: entry.crc32,
      compressedSize: UInt32(clamping: entry.compressedSize), size: UInt32(clamping: entry.size), time: .first
    )
    head = header.localHeader()
    data = entry.dataOffset..<entry.dataOffset + entry.compressedSize
    let record = header.centralRecord(offset: 0)
    let directory = CentralDirectory(
      offset: Int64(head.count) + entry.compressedSize, byteCount: Int64(record.count), entryCount: 1)
    tail = record + directory.endRecords()
    rewind()
  }

  /// Shows the whole source as it is: an archive inside the content, which is only looked into.
  ///
  /// After `limit` bytes libarchive gets no more, until `lendMore` is called.
  func showEverything(lendingAtMost limit: Int64) {
    head = []
    data = 0..<source.byteCount
    tail = []
    rewind()
    credit = limit
  }

  /// Lends all that is asked for from now on.
  func lendMore() { credit = .max }

  private func rewind() {
    loaded = 0..<0
    position = 0
    failure = nil
  }

  /// Moves to the next bytes that libarchive will ask for.
  ///
  /// - Returns: the new position, or nil if it lies outside the window.
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

  /// The bytes from the present position on, and moves behind them.
  ///
  /// - Returns: bytes that stay as they are until the next call, none at the end; nil if the source cannot be
  ///   read, with the reason in `failure`, or no more is lent.
  func next() -> UnsafeRawBufferPointer? {
    guard credit > 0 else { return nil }
    if !loaded.contains(position), position < byteCount {
      do throws(FileFailure) { try load() } catch {
        failure = error
        return nil
      }
    }
    let rest = position < loaded.upperBound ? Int(position - loaded.lowerBound)..<loaded.count : 0..<0
    position += Int64(rest.count)
    credit -= Int64(rest.count)
    return unsafe UnsafeRawBufferPointer(rebasing: block[rest])
  }

  /// Fills the block from the present position, or with the whole window if it fits.
  private func load() throws(FileFailure) {
    let start = byteCount <= Int64(Self.blockSize) ? 0 : position
    let wanted = start..<min(start + Int64(Self.blockSize), byteCount)
    let dataStart = Int64(head.count)
    let tailStart = dataStart + Int64(data.count)
    var filled = 0
    for place in wanted.clamped(to: 0..<dataStart) {
      unsafe block[filled] = head[Int(place)]
      filled += 1
    }
    let fromSource = wanted.clamped(to: dataStart..<tailStart)
    if !fromSource.isEmpty {
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: block[filled..<filled + fromSource.count])
      var part = unsafe target.mutableBytes
      let read = try source.read(at: data.lowerBound + fromSource.lowerBound - dataStart, into: &part)
      guard read == fromSource.count else { throw .archiveCutOff }
      filled += read
    }
    for place in wanted.clamped(to: tailStart..<byteCount) {
      unsafe block[filled] = tail[Int(place - tailStart)]
      filled += 1
    }
    loaded = wanted
  }
}

extension FileFailure {
  /// An archive that was whole when it was opened has become shorter.
  static var archiveCutOff: FileFailure { FileFailure(.read, "the archive", .ioError) }
}
