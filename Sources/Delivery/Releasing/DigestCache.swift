#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// A cache of file digests, keyed by the file system's metadata. It can be deleted without loss.
///
/// A digest is valid for a file with the same device, inode, size, modification time and change time. Users cannot set
/// the change time, but a process with write access to the cache can make a changed file appear unchanged.
struct DigestCache: Sendable {
  /// The digest of a file, with the metadata for which it is valid.
  struct Record: Sendable {
    let identity: FileIdentity
    let size: Int64
    let modified: FileStatus.Time
    let changed: FileStatus.Time
    let digest: SHA256Digest

    func isOf(_ status: FileStatus) -> Bool {
      identity == status.identity && size == status.size && modified == status.modificationTime
        && changed == status.changeTime
    }
  }

  /// The serialized records, sorted by unique identity, and their checksum. There may be a hundred thousand records, so
  /// they are read in place.
  let bytes: [UInt8]

  init() { self.init(of: []) { _ in nil } }

  /// Creates records of files; calls `makeRecord` twice for each. A file with several names gets one record.
  init(of indices: some Sequence<Int>, _ makeRecord: (Int) -> Record?) {
    var order: [(identity: FileIdentity, index: UInt32)] = []
    for index in indices {
      if let record = makeRecord(index) { order.append((record.identity, UInt32(index))) }
    }
    order.sort { Self.precedes($0.identity, $1.identity) }
    var bytes = Self.head
    bytes.reserveCapacity(Self.head.count + order.count * Self.recordBytes + SHA256Digest.byteCount)
    var last: FileIdentity?
    for (identity, index) in order where identity != last {
      if let record = makeRecord(Int(index)) { Self.append(record, to: &bytes) }
      last = identity
    }
    bytes += SHA256Digest(of: bytes).bytes
    self.bytes = bytes
  }

  var records: some RandomAccessCollection<Record> { (0..<count).lazy.map(record(at:)) }

  /// Returns the digest of a file if the file is unchanged since its digest was computed; nil otherwise.
  func digest(of status: FileStatus) -> SHA256Digest? {
    let index = (0..<count).partitioningIndex { Self.precedes(identity(at: $0), status.identity) }
    guard index < count, identity(at: index) == status.identity else { return nil }
    let record = record(at: index)
    return record.isOf(status) ? record.digest : nil
  }

  /// An upper bound of the granularity of a file system's clock, in nanoseconds (Linux: a tick of at most 10 ms).
  private static let tick: Int64 = 100_000_000
  /// The granularity of file systems with timestamps of one second or, like FAT, of two seconds, in nanoseconds.
  private static let coarseTick: Int64 = 2_000_000_000

  /// Returns whether any write to the file after `time` is certain to alter its change time.
  static func canDetectChanges(of status: FileStatus, since time: FileStatus.Time) -> Bool {
    let isCoarse = status.changeTime.nanoseconds == 0
    return status.changeTime.isEarlier(than: time, by: isCoarse ? coarseTick : tick)
  }

  private static func precedes(_ left: FileIdentity, _ right: FileIdentity) -> Bool {
    (left.device, left.inode) < (right.device, right.inode)
  }
}

// MARK: - As bytes

extension DigestCache {
  private static let head = Array("iapkg-digests-1\n".utf8)
  /// Eight bytes for each number, four for nanoseconds, and the digest.
  private static let recordBytes = 5 * 8 + 2 * 4 + SHA256Digest.byteCount
  /// The maximum size of a cache in bytes, for as many files as a package may have.
  static let maximumByteCount =
    head.count + Limits.maximumEntryCount * recordBytes + SHA256Digest.byteCount

  /// Parses a cache; damaged bytes give an empty one.
  init(bytes: [UInt8]) {
    self.init(unchecked: bytes)
    if !isSound { self.init() }
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  private var isSound: Bool {
    let end = bytes.count - SHA256Digest.byteCount
    guard bytes.starts(with: Self.head), end >= Self.head.count,
      (end - Self.head.count).isMultiple(of: Self.recordBytes)
    else { return false }
    var hasher = SHA256Hasher()
    hasher.update(unsafe bytes.borrowedSpan.bytes.extracting(first: end))  // UInt8 has no padding
    return hasher.finish().bytes.elementsEqual(bytes[end...])
      && (0..<count).dropFirst().allSatisfy { Self.precedes(identity(at: $0 - 1), identity(at: $0)) }
  }

  private var count: Int {
    (bytes.count - Self.head.count - SHA256Digest.byteCount) / Self.recordBytes
  }

  private func bytes(at index: Int) -> ArraySlice<UInt8> {
    let start = Self.head.count + index * Self.recordBytes
    return bytes[start..<start + Self.recordBytes]
  }

  private func identity(at index: Int) -> FileIdentity {
    let bytes = bytes(at: index)
    return FileIdentity(device: bytes.uint64(at: 0), inode: bytes.uint64(at: 8))
  }

  private func record(at index: Int) -> Record {
    let bytes = bytes(at: index)
    func time(at offset: Int) -> FileStatus.Time {
      FileStatus.Time(
        seconds: Int64(bitPattern: bytes.uint64(at: offset)),
        nanoseconds: Int32(bitPattern: bytes.uint32(at: offset + 8)))
    }
    return Record(
      identity: identity(at: index), size: Int64(bitPattern: bytes.uint64(at: 16)), modified: time(at: 24),
      changed: time(at: 36), digest: SHA256Digest(bytes: bytes.suffix(SHA256Digest.byteCount)) ?? .none)
  }

  private static func append(_ record: Record, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: record.identity.device)
    bytes.append(littleEndian: record.identity.inode)
    bytes.append(littleEndian: UInt64(bitPattern: record.size))
    for time in [record.modified, record.changed] {
      bytes.append(littleEndian: UInt64(bitPattern: time.seconds))
      bytes.append(littleEndian: UInt32(bitPattern: time.nanoseconds))
    }
    bytes += record.digest.bytes
  }
}
#endif
