import ContentPackage
import PackageForge
import Testing

/// ZIP64 fields and records that are missing, wrong, or contradict the older ones.
struct Zip64Tests {
  static let fields: [HostilePackage] = [
    .init("missing for a size", .archiveZip64) { $0[Name.stored].size = .max },
    .init("missing for a compressed size", .archiveZip64) { $0[Name.stored].compressedSize = .max },
    .init("missing for an offset", .archiveZip64) { $0[Name.stored].central.offset = .max },
    .init("missing in the local header", .archiveZip64) {
      $0[Name.stored].central.extra = [.zip64(8, 8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("twice", .archiveZip64) { $0[Name.stored].extra = [.zip64(8, 8), .zip64(8, 8)] },
    .init("twice, with different numbers", .archiveZip64) {
      $0[Name.stored].extra = [.zip64(8, 8), .zip64(9, 9)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("not needed and different", .archiveZip64) { $0[Name.stored].extra = [.zip64(9, 9)] },
    .init("not needed and different in the local header", .archiveZip64) {
      $0[Name.stored].local.extra = [.zip64(8, 9)]
    },
    .init("contradictory between the headers", .archiveLocalMismatch) {
      $0[Name.stored].local.extra = [.zip64(9, 8)]
      $0[Name.stored].central.extra = [.zip64(8, 8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("with fewer numbers than needed", .archiveZip64) {
      $0[Name.stored].extra = [.zip64(8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("with more numbers than needed", .archiveZip64) {
      $0[Name.stored].central.extra = [.zip64(8, 8)]
      $0[Name.stored].central.size = .max
    },
    .init("of a length that no numbers have", .archiveZip64) {
      $0[Name.stored].central.extra = [ForgedExtra(1, [8, 0, 0, 0])]
    },
    .init("an offset that leads elsewhere", .archiveLocalMismatch) {
      $0[Name.stored].central.extra = [.zip64(3)]
      $0[Name.stored].central.offset = .max
    },
  ]

  @Test(arguments: fields)
  func `a ZIP64 field that is missing, doubled or contradictory is refused`(_ package: HostilePackage) throws
  {
    try package.checkRefusal()
  }

  static let absurd: [HostilePackage] = ([1 << 41, 1 << 62, 1 << 63, .max] as [UInt64]).flatMap { number in
    [
      HostilePackage("sizes of \(number)", .archiveZip64) {
        $0[Name.stored].extra = [.zip64(number, number)]
        $0[Name.stored].size = .max
        $0[Name.stored].compressedSize = .max
      },
      HostilePackage("a size of \(number)", .archiveZip64) {
        $0[Name.stored].extra = [.zip64(number)]
        $0[Name.stored].size = .max
      },
      HostilePackage("a compressed size of \(number)", .archiveZip64) {
        $0[Name.deflated].central.extra = [.zip64(number)]
        $0[Name.deflated].central.compressedSize = .max
      },
      HostilePackage("an offset of \(number)", .archiveZip64) {
        $0[Name.stored].central.extra = [.zip64(number)]
        $0[Name.stored].central.offset = .max
      },
      HostilePackage("a local size of \(number)", .archiveZip64) {
        $0[Name.stored].local.extra = [.zip64(number)]
        $0[Name.stored].local.size = .max
      },
    ]
  }

  @Test(arguments: absurd)
  func `a ZIP64 field that claims more than any package has is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let records: [HostilePackage] = [
    wide("another number of entries", .archiveZip64) { $0.zip64?.entries = 7 },
    wide("another number of entries on this disk", .archiveZip64) { $0.zip64?.entriesOnDisk = 7 },
    wide("another directory size", .archiveZip64) { $0.zip64?.directorySize = 7 },
    wide("another directory offset", .archiveZip64) { $0.zip64?.directoryOffset = 7 },
    wide("another number of entries in the end record", .archiveZip64) { $0.end.entries = 5 },
    wide("another directory offset in the end record", .archiveZip64) { $0.end.directoryOffset = 5 },
    wide("a gap before the locator", .archiveZip64) { $0.zip64?.gap = [0] },
    wide("a bad signature", .archiveZip64) { $0.zip64?.signature ^= 1 },
    wide("a bad signature of the locator", .archiveZip64) { $0.zip64?.locatorSignature ^= 1 },
    wide("extensible data", .archiveZip64) { $0.zip64?.extensibleData = [1, 2, 3, 4] },
    wide("a size that is too large", .archiveZip64) { $0.zip64?.size = 45 },
    wide("a size that wraps", .archiveZip64) { $0.zip64?.size = .max },
    wide("a locator that points elsewhere", .archiveZip64) { $0.zip64?.recordOffset = 7 },
    wide("a locator that points at 2^62", .archiveZip64) { $0.zip64?.recordOffset = 1 << 62 },
    wide("another disk", .archiveMultiDisk) {
      $0.zip64?.disk = 1
      $0.end.disk = .max
    },
    wide("a locator on another disk", .archiveMultiDisk) { $0.zip64?.locatorDisk = 1 },
    wide("a locator of two disks", .archiveMultiDisk) { $0.zip64?.disks = 2 },
    wide("2^62 entries", .archiveEntryCount) {
      $0.zip64?.entries = 1 << 62
      $0.zip64?.entriesOnDisk = 1 << 62
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
    },
    wide("a directory of 2^62 bytes", .archiveDirectorySize) {
      $0.zip64?.directorySize = 1 << 62
      $0.end.directorySize = .max
    },
    wide("a directory at 2^64 - 1", .archiveDirectorySize) {
      $0.zip64?.directoryOffset = .max
      $0.end.directoryOffset = .max
    },
    .init("a number of entries that refers to no record", .archiveZip64) {
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
    },
    .init("a directory size that refers to no record", .archiveZip64) { $0.end.directorySize = .max },
    .init("a directory offset that refers to no record", .archiveZip64) { $0.end.directoryOffset = .max },
  ]

  private static func wide(
    _ description: String, _ rule: Rule, spoil: @escaping @Sendable (inout ForgedArchive) -> Void
  ) -> HostilePackage {
    HostilePackage(description, rule) {
      $0.zip64 = ForgedZip64()
      spoil(&$0)
    }
  }

  @Test(arguments: records)
  func `a ZIP64 end record that contradicts others, or is misplaced, is refused`(_ package: HostilePackage)
    throws
  { try package.checkRefusal() }
}
