import SafeFiles
import Support

/// Digests of files that were taken before, each by what the file system says of its file. Nothing is lost with it.
///
/// A digest is believed of a file that has the device, number, size, and times of modification and change that it had.
/// Nobody can set the time of change, but who may write the cache can make a changed file pass for an unchanged one.
struct DigestCache: Sendable {
  /// What is known of a file.
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

  /// Sorted by identity, each of which is there once.
  private(set) var records: [Record]

  init() { records = [] }

  /// The records of files; of several names of one file, one is kept.
  init(_ records: [Record]) {
    let sorted = records.sorted { Self.precedes($0.identity, $1.identity) }
    self.records = []
    self.records.reserveCapacity(sorted.count)
    for record in sorted where self.records.last?.identity != record.identity { self.records.append(record) }
  }

  /// The digest of a file that has not been written to since it was taken; nil if there is none.
  func digest(of status: FileStatus) -> SHA256Digest? {
    let place = records.partitioningIndex { Self.precedes($0.identity, status.identity) }
    guard place < records.endIndex, records[place].isOf(status) else { return nil }
    return records[place].digest
  }

  /// The clock of a file system may stand still for so many nanoseconds (Linux: a tick of at most 10 ms).
  private static let tick: Int64 = 100_000_000
  /// The same for one that counts whole seconds, or, as FAT, every second one.
  private static let coarseTick: Int64 = 2_000_000_000

  /// Whether a file that is written to after `time` is sure to get another time of change.
  static func canTellChanges(of status: FileStatus, since time: FileStatus.Time) -> Bool {
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
  /// Eight bytes for each number but the nanoseconds, which have four, and the digest.
  private static let recordBytes = 5 * 8 + 2 * 4 + SHA256Digest.byteCount
  /// The most bytes of a cache: of as many files as a package may have.
  static let mostBytes = head.count + ReleaseIndex.mostEntries * recordBytes + SHA256Digest.byteCount

  /// All records, and the digest of them, which finds damage.
  var bytes: [UInt8] {
    var bytes = Self.head
    bytes.reserveCapacity(Self.head.count + records.count * Self.recordBytes + SHA256Digest.byteCount)
    for record in records {
      append(record.identity.device, to: &bytes)
      append(record.identity.inode, to: &bytes)
      append(record.size, to: &bytes)
      append(record.modified.seconds, to: &bytes)
      append(record.modified.nanoseconds, to: &bytes)
      append(record.changed.seconds, to: &bytes)
      append(record.changed.nanoseconds, to: &bytes)
      bytes += record.digest.bytes
    }
    return bytes + SHA256Digest(of: bytes).bytes
  }

  /// The cache with these bytes; an empty one if they are damaged.
  init(bytes: [UInt8]) {
    self.init()
    let end = bytes.count - SHA256Digest.byteCount
    guard bytes.starts(with: Self.head), end >= Self.head.count,
      (end - Self.head.count).isMultiple(of: Self.recordBytes),
      SHA256Digest(of: Array(bytes[..<end])).bytes.elementsEqual(bytes[end...])
    else { return }
    records.reserveCapacity((end - Self.head.count) / Self.recordBytes)
    for start in stride(from: Self.head.count, to: end, by: Self.recordBytes) {
      let record = Self.record(bytes[start..<start + Self.recordBytes])
      guard let record, records.last.map({ Self.precedes($0.identity, record.identity) }) ?? true else {
        records = []
        return
      }
      records.append(record)
    }
  }

  private static func record(_ bytes: ArraySlice<UInt8>) -> Record? {
    var rest = bytes
    let device: UInt64 = take(from: &rest)
    let inode: UInt64 = take(from: &rest)
    let size: Int64 = take(from: &rest)
    let modified = FileStatus.Time(seconds: take(from: &rest), nanoseconds: take(from: &rest))
    let changed = FileStatus.Time(seconds: take(from: &rest), nanoseconds: take(from: &rest))
    guard let digest = SHA256Digest(bytes: rest) else { return nil }
    return Record(
      identity: FileIdentity(device: device, inode: inode), size: size, modified: modified, changed: changed,
      digest: digest)
  }

  private func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  private static func take<Number: FixedWidthInteger>(from bytes: inout ArraySlice<UInt8>) -> Number {
    var number: Number = 0
    for (place, byte) in bytes.prefix(Number.bitWidth / 8).enumerated() {
      number |= Number(truncatingIfNeeded: byte) << Number(8 * place)
    }
    bytes = bytes.dropFirst(Number.bitWidth / 8)
    return number
  }
}
