import SafeFiles

/// Reads the byte map of one archive from its end to its beginning.
struct StructureReader<Source: ByteSource> {
  let source: Source
  /// The central directory is read from front to back.
  var directory: ByteWindow<Source>
  /// Records are read for the second time in the order of their entries, which may be any.
  var records: ByteWindow<Source>
  /// Local headers mostly lie far apart, so that little is read at once; each has the data descriptor of another
  /// before it.
  var headers: ByteWindow<Source>

  var entries: [ZipEntry] = []
  var flaws = FlawList()
  /// Whether the headers of all entries were found. If not, bytes that no entry owns are no flaw of their own.
  var isComplete = true
  /// Whether all that the directory lists has become an entry.
  private(set) var hasAllEntries = false
  /// Where the bytes end that belong to the entries so far.
  var ownedEnd: Int64 = 0
  /// The entry to which the last of these bytes belongs.
  var lastOwner: EntryPath?
  /// Bytes between entries that belong to none.
  var gaps: [Range<Int64>] = []

  init(_ source: Source) {
    self.source = source
    directory = ByteWindow(on: source, capacity: 256 * 1024)
    records = ByteWindow(on: source, capacity: 8 * 1024)
    headers = ByteWindow(on: source, capacity: 2 * 1024, lookBehind: DataDescriptor.longest)
  }

  mutating func run() throws(FileFailure) {
    guard let end = try findEndRecord(), let claim = try readClaim(of: end),
      let place = try locateDirectory(claim), let listed = try readDirectory(place, claim)
    else { return }
    try readEntries(listed, of: place)
    hasAllEntries = isComplete && entries.count == listed.count
  }
}

/// What the end records say of the central directory.
struct DirectoryClaim {
  var entriesOnDisk: UInt64
  var entries: UInt64
  var size: UInt64
  var offset: UInt64
  /// Where the directory has to end: at the first of the end records.
  let limit: Int64
  /// Whether the claim is that of a ZIP64 end record.
  let isZip64: Bool
  /// Where the ZIP64 end record stands according to its locator; it was found at `limit`.
  var locatedAt: UInt64?
  /// Whether the end records contradict each other about the number of entries.
  var countIsDisputed = false

  /// The claim of an end record without ZIP64.
  init(_ end: EndRecord) {
    entriesOnDisk = UInt64(end.entriesOnDisk)
    entries = UInt64(end.entries)
    size = UInt64(end.directorySize)
    offset = UInt64(end.directoryOffset)
    limit = end.position
    isZip64 = false
  }

  /// The claim of a ZIP64 end record.
  init(_ end: Zip64EndRecord) {
    entriesOnDisk = end.entriesOnDisk
    entries = end.entries
    size = end.directorySize
    offset = end.directoryOffset
    limit = end.position
    isZip64 = true
  }

  /// Whether a directory of that size at that offset ends where it has to.
  var isConsistent: Bool {
    let (end, overflow) = offset.addingReportingOverflow(size)
    return !overflow && end == limit
  }
}

/// Where the central directory was found.
struct DirectoryPlace {
  let range: Range<Int64>
  /// What must be added to the offsets in its records, because something was put before the archive.
  let base: Int64
}
