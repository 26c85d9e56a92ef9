import ContentPackage
import PackageForge
import Testing

/// Bytes without an owner or with several, and wrong end records.
struct LayoutTests {
  static let entries: [HostilePackage] = [
    .init("a local entry without a central one", .archiveGap) { $0.directoryOrder = [0, 2, 3] },
    .init("a central entry without a local one", .archiveLocalMismatch) {
      $0.add(.file("Contents/ghost", "x"))
      $0["Contents/ghost"].isOnlyListed = true
    },
    .init("two central entries on one local header", .archiveOverlap) {
      var twin = $0[Name.stored]
      twin.isOnlyListed = true
      twin.central.name = Array("Contents/pages/two.txt".utf8)
      twin.central.offset = UInt32($0.layout().offsets[3])
      $0.add(twin)
    },
    .init("data that run into the next entry", .archiveOverlap) { $0.entries[0].data.removeLast() },
    .init("data that run into the central directory", .archiveOverlap) { $0[Name.stored].data.removeLast() },
    .init("an entry inside of another's data", .archiveOverlap) {
      let inner = ForgedEntry.file("Contents/inner", "inner")
      let layout = ForgedArchive([inner]).layout()
      let end = (layout.records[.localHeader("Contents/inner")]?.upperBound ?? 0) + inner.data.count
      $0[Name.stored] = .file(Name.stored, Array(layout.bytes[..<end]) + [1, 2, 3])
      var listed = inner
      listed.central.offset = UInt32($0.layout().records[.localHeader(Name.stored)]?.upperBound ?? 0)
      listed.isOnlyListed = true
      $0.add(listed)
    },
    .init("a damaged local signature", .archiveLocalMismatch) { $0[Name.stored].local.signature ^= 1 },
    .init("an offset that is one off", .archiveLocalMismatch) { $0[Name.manifest].central.offset = 1 },
    .init("an offset behind the end", .archiveLocalMismatch) { $0[Name.stored].central.offset = 0x7FFF_FFFF },
  ]

  @Test(arguments: entries)
  func `unlisted, missing and overlapping entries are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let gaps: [HostilePackage] = [
    .init("a shell script before the first entry", .archiveGap) { $0.prefix = Array("#!/bin/sh\n".utf8) },
    .init("a shell script that the offsets count", .archiveGap) {
      let script = Array("#!/bin/sh\nexit 0\n".utf8)
      let layout = $0.layout()
      for index in $0.entries.indices {
        $0.entries[index].central.offset = UInt32(layout.offsets[index] + script.count)
      }
      let first = layout.records[.centralRecord(Name.manifest)]?.lowerBound ?? 0
      $0.end.directoryOffset = UInt32(first + script.count)
      $0.prefix = script
    },
    .init("a Windows executable before the first entry", .archiveGap) {
      $0.prefix = Array("MZ".utf8) + [UInt8](repeating: 0, count: 510)
    },
    .init("a byte between two entries", .archiveGap) { $0[Name.manifest].gapAfter = [0] },
    .init("an unlisted header between two entries", .archiveGap) {
      $0[Name.manifest].gapAfter = Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26)
    },
    .init("bytes before the central directory", .archiveGap) { $0.gapBeforeDirectory = [1, 2, 3] },
    .init("a signing block before the central directory", .archiveGap) {
      $0.gapBeforeDirectory = [UInt8](repeating: 0, count: 16) + Array("APK Sig Block 42".utf8)
    },
    .init("bytes before the end record", .archiveGap) { $0.gapBeforeEnd = [0] },
    .init("a byte after the end record", .archiveEndRecord) { $0.suffix = [0] },
    .init("a line after the end record", .archiveEndRecord) { $0.suffix = Array("\r\n".utf8) },
    .init("100,000 bytes after the end record", .archiveTruncated) {
      $0.suffix = [UInt8](repeating: 0, count: 100_000)
    },
  ]

  @Test(arguments: gaps)
  func `bytes outside all records are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let ends: [HostilePackage] = [
    .init("a comment longer than announced", .archiveEndRecord) {
      $0.end.comment = Array("comment".utf8)
      $0.end.commentLength = 3
    },
    .init("a comment shorter than announced", .archiveEndRecord) {
      $0.end.comment = Array("comment".utf8)
      $0.end.commentLength = 8
    },
    .init("a comment of no byte that is announced", .archiveEndRecord) { $0.end.commentLength = 1 },
    .init("a second end record", .archiveEndRecord) { $0.suffix = Array($0.bytes().suffix(22)) },
    .init("a second end record in the comment", .archiveEndRecord) {
      $0.end.comment = Array($0.bytes().suffix(22))
    },
    .init("the signature of an end record in the comment", .archiveEndRecord) {
      $0.end.comment = Array("PK\u{5}\u{6}".utf8)
    },
    .init("the signature of a central record in the comment", .archiveEndRecord) {
      $0.end.comment = Array("see PK\u{1}\u{2}".utf8)
    },
    .init("a whole ZIP in the comment", .archiveEndRecord) { $0.end.comment = ForgedArchive.book().bytes() },
    .init("a comment that other readers do not look behind", .archiveEndRecord) {
      $0.end.comment = [UInt8](repeating: 0x20, count: 65_535)
    },
    .init("two archives joined", .archiveEndRecord) { $0.prefix = ForgedArchive.book().bytes() },
    .init("two different archives joined", .archiveEndRecord) {
      $0.prefix = ForgedArchive([.file("Contents/other", "other")]).bytes()
    },
    .init("an archive behind one that its end record counts as a comment", .archiveEndRecord) {
      $0.end.commentLength = UInt16(ForgedArchive([.file("Contents/o", "o")]).bytes().count)
      $0.suffix = ForgedArchive([.file("Contents/o", "o")]).bytes()
    },
  ]

  @Test(arguments: ends)
  func `an end record that is not the only one, or not at the end of the file, is refused`(
    _ package: HostilePackage
  ) throws { try package.checkRefusal() }

  static let directories: [HostilePackage] = [
    .init("too few entries", .archiveEntryCount) {
      $0.end.entries = 3
      $0.end.entriesOnDisk = 3
    },
    .init("too many entries", .archiveEntryCount) {
      $0.end.entries = 5
      $0.end.entriesOnDisk = 5
    },
    .init("no entries", .archiveEntryCount) {
      $0.end.entries = 0
      $0.end.entriesOnDisk = 0
    },
    .init("a directory size of 0", .archiveDirectorySize) { $0.end.directorySize = 0 },
    .init("a directory size one too small", .archiveDirectorySize) {
      $0.end.directorySize = $0.directorySize - 1
    },
    .init("a directory size one too large", .archiveDirectorySize) {
      $0.end.directorySize = $0.directorySize + 1
    },
    .init("a directory size larger than the file", .archiveDirectorySize) { $0.end.directorySize = 1 << 30 },
    .init("a directory offset one too small", .archiveDirectorySize) {
      $0.end.directoryOffset = $0.directoryOffset - 1
    },
    .init("a directory offset of 0", .archiveDirectorySize) { $0.end.directoryOffset = 0 },
    .init("a directory offset behind the end", .archiveDirectorySize) { $0.end.directoryOffset = 1 << 30 },
    .init("a sum of size and offset that wraps 32 bits", .archiveDirectorySize) {
      let end = $0.directoryOffset + $0.directorySize
      $0.end.directoryOffset = end + 0x10
      $0.end.directorySize = .max - 0xF
    },
    .init("a damaged first central signature", .archiveDirectoryRecord) {
      $0[Name.manifest].central.signature ^= 0x0100_0000
    },
    .init("a damaged central signature", .archiveDirectoryRecord) {
      $0[Name.folder].central.signature ^= 0x0100_0000
    },
    .init("a damaged last central signature", .archiveDirectoryRecord) {
      $0[Name.stored].central.signature = 0
    },
    .init("a central name that overruns its record", .archiveDirectoryRecord) {
      $0[Name.deflated].central.nameLength = 0xFFFF
    },
    .init("extra fields that overrun their record", .archiveDirectoryRecord) {
      $0[Name.stored].central.extraLength = 4
    },
    .init("a comment that overruns its record", .archiveDirectoryRecord) {
      $0[Name.stored].central.commentLength = 4
    },
    .init("another disk", .archiveMultiDisk) { $0.end.disk = 1 },
    .init("a directory on another disk", .archiveMultiDisk) { $0.end.directoryDisk = 1 },
    .init("an entry on another disk", .archiveMultiDisk) { $0[Name.stored].central.disk = 1 },
    .init("fewer entries on this disk than in all", .archiveMultiDisk) { $0.end.entriesOnDisk = 3 },
    .init("the signature of a split archive", .archiveMultiDisk) { $0.prefix = Array("PK\u{7}\u{8}".utf8) },
    .init("the signature of a split archive in one piece", .archiveMultiDisk) {
      $0.prefix = Array("PK00".utf8)
    },
  ]

  @Test(arguments: directories)
  func `a central directory that contradicts the end record is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  @Test func `a count that is right only modulo 65,536 is refused`() throws {
    var archive = ForgedArchive.book()
    archive.entries += (0..<65_536).map { .file("Contents/\($0)", "") }
    let findings = try Bench(archive.bytes()).validate()
    #expect(findings.map(\.rule) == [.archiveEntryCount])
  }

  static let otherFiles: [HostilePackage] = [
    .init("an empty file", .archiveNotAZip) { [] },
    .init("one byte", .archiveNotAZip) { [0] },
    .init("a text", .archiveNotAZip) { Array("This is no package at all.\n".utf8) },
    .init("a gzip file", .archiveNotAZip) { [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] },
    .init("a xar archive, as Xcode exports it", .archiveNotAZip) {
      Array("xar!".utf8) + [0, 28, 0, 1] + [UInt8](repeating: 0, count: 100)
    },
    .init("only a local header", .archiveTruncated) { Array("PK\u{3}\u{4}".utf8) },
    .init("the first half of a package", .archiveTruncated) {
      let bytes = ForgedArchive.book().bytes()
      return Array(bytes.prefix(bytes.count / 2))
    },
    .init("a package without its last byte", .archiveTruncated) { ForgedArchive.book().bytes().dropLast() },
    .init("zeros", .archiveNotAZip) { [UInt8](repeating: 0, count: 70_000) },
  ]

  @Test(arguments: otherFiles)
  func `a file that is not a complete ZIP archive is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  @Test func `an archive without entries is refused for its missing items`() throws {
    try HostilePackage("empty", .manifestMissing, .packageContentsMissing) { $0.entries = [] }.checkRefusal()
    try HostilePackage("a comment", .archiveComment, .manifestMissing, .packageContentsMissing) {
      $0.entries = []
      $0.end.comment = [0x20]
    }.checkRefusal()
  }
}

extension ForgedArchive {
  /// The offset of the central directory, and its size.
  fileprivate var directoryOffset: UInt32 {
    UInt32(layout().records[.centralRecord(Name.manifest)]?.lowerBound ?? 0)
  }
  fileprivate var directorySize: UInt32 {
    UInt32(layout().records[.endRecord]?.lowerBound ?? 0) - directoryOffset
  }
}
