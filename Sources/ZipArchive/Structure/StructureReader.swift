import SafeFiles
import Support

/// Reads the structure of one archive, from its end to its start.
struct StructureReader<Source: ByteSource> {
  let source: Source
  /// The cancellation, which ends every loop over records.
  let cancellation: Cancellation
  /// The window on the central directory, which is read from front to back.
  var directory: ByteWindow<Source>
  /// The window on central directory headers that are read again, in the order of their entries.
  var records: ByteWindow<Source>
  /// The window on local file headers, which are mostly far apart, so reads are small. Each read includes a possible
  /// data descriptor of the previous entry.
  var headers: ByteWindow<Source>

  var entries: [ZipEntry] = []
  /// The number of entries whose paths are joined, and the total size of the other paths in bytes.
  var joinedEntries = 0
  var otherPathBytes = 0
  var findings = ZipFindingList()
  /// Whether the headers of all entries were found. If not, bytes without an owner are not reported.
  var isComplete = true
  /// Whether every header of the central directory has become an entry.
  private(set) var hasAllEntries = false
  /// The end of the bytes that belong to the entries read so far.
  var ownedEnd: Int64 = 0
  /// The entry that owns the bytes before `ownedEnd`.
  var lastOwner: EntryPath?
  /// The ranges that belong to no entry.
  var gaps: [Range<Int64>] = []

  init(_ source: Source, _ cancellation: Cancellation) {
    self.source = source
    self.cancellation = cancellation
    directory = ByteWindow(on: source, capacity: 256 * 1024)
    records = ByteWindow(on: source, capacity: 8 * 1024)
    headers = ByteWindow(on: source, capacity: 2 * 1024, lookBehind: DataDescriptor.maximumLength)
  }

  mutating func run() throws(SourceError) {
    guard let end = try findEndRecord(), let claim = try readClaim(of: end),
      let location = try locateDirectory(claim), let listed = try readDirectory(location, claim)
    else { return }
    let count = listed.count
    try readEntries(consume listed, of: location)
    hasAllEntries = isComplete && entries.count == count
  }
}

/// The position and size of the central directory according to the end of central directory records.
struct DirectoryClaim {
  var entriesOnDisk: UInt64
  var entries: UInt64
  var size: UInt64
  var offset: UInt64
  /// The required end of the directory: the start of the first end record.
  let limit: Int64
  /// Whether the claim was read from a ZIP64 record.
  let isZip64: Bool
  /// The offset of the ZIP64 record according to its locator. The record was found at `limit`.
  var declaredRecordOffset: UInt64?
  /// Whether the records contradict each other about the number of entries.
  var hasContradictoryCounts = false

  /// Creates the claim of a record without ZIP64.
  init(_ end: EndOfCentralDirectory) {
    entriesOnDisk = UInt64(end.entriesOnDisk)
    entries = UInt64(end.entries)
    size = UInt64(end.directorySize)
    offset = UInt64(end.directoryOffset)
    limit = end.position
    isZip64 = false
  }

  /// Creates the claim of a ZIP64 record.
  init(_ end: Zip64EndOfCentralDirectory) {
    entriesOnDisk = end.entriesOnDisk
    entries = end.entries
    size = end.directorySize
    offset = end.directoryOffset
    limit = end.position
    isZip64 = true
  }

  /// Whether a directory of the declared size at the declared offset ends at `limit`.
  var isConsistent: Bool {
    let (end, overflow) = offset.addingReportingOverflow(size)
    return !overflow && end == limit
  }
}

/// The position of the central directory.
struct DirectoryLocation {
  let range: Range<Int64>
  /// The number of bytes before the archive, which must be added to the offsets in its headers.
  let base: Int64
}
