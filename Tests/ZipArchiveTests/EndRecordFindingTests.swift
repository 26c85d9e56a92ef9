import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Findings about the end records and the central directory as a whole.
struct EndRecordFindingTests {
  static let endRecord: [SpoiledArchive] = [
    .init("bytes after the end record", .endRecord) { $0.suffix = [0] },
    .init("a comment longer than announced", .endRecord) {
      $0.end.comment = Array("comment".utf8)
      $0.end.commentLength = 3
    },
    .init("a comment shorter than announced", .endRecord) {
      $0.end.comment = Array("comment".utf8)
      $0.end.commentLength = 30
    },
    .init("a comment that libarchive would not look behind", .endRecord) {
      $0.end.comment = [UInt8](repeating: 0x20, count: ZipStructure.maximumCommentLength + 1)
    },
    .init("a second end record", .endRecord) {
      let bytes = $0.bytes()
      $0.suffix = Array(bytes.suffix(22))
    },
    .init("a second end record inside of the comment", .endRecord) {
      let bytes = $0.bytes()
      $0.end.comment = Array(bytes.suffix(22))
    },
    .init("a whole archive in the comment", .endRecord) { $0.end.comment = ForgedArchive.book().bytes() },
    .init("a whole archive and more in the comment", .endRecord) {
      $0.end.comment = ForgedArchive.book().bytes() + [0]
    },
    .init("the signature of an end record in the comment", .endRecord) {
      $0.end.comment = Array("PK\u{5}\u{6}".utf8)
    },
    .init("the signature of a local header in the comment", .endRecord) {
      $0.end.comment = Array("PK\u{3}\u{4}!".utf8)
    },
    .init("two archives joined", .endRecord) { $0.prefix = ForgedArchive.book().bytes() },
    .init("two different archives joined", .endRecord) {
      $0.prefix = ForgedArchive([.file("Contents/other", "other")]).bytes()
    },
    .init("a directory on another disk", .multiDisk) { $0.end.directoryDisk = 1 },
    .init("another disk", .multiDisk) { $0.end.disk = 1 },
    .init("an entry on another disk", .multiDisk) { $0[Name.stored].central.disk = 1 },
    .init("fewer entries on this disk than in all", .multiDisk) { $0.end.entriesOnDisk = 3 },
    .init("a split archive", .multiDisk) { $0.prefix = Array("PK\u{7}\u{8}".utf8) },
    .init("a split archive in one segment", .multiDisk) { $0.prefix = Array("PK00".utf8) },
    .init("bytes before the archive", .gap) { $0.prefix = Array("#!/bin/sh\n".utf8) },
    .init("bytes before the archive, the offsets adjusted", .gap) {
      $0.shiftAll(by: Array("#!/bin/sh\n".utf8))
    },
    .init("bytes before the archive with ZIP64", .gap) {
      $0.prefix = Array("#!/bin/sh\n".utf8)
      $0.zip64 = ForgedZip64()
    },
    .init("bytes before the directory", .gap) { $0.gapBeforeDirectory = [0] },
    .init("bytes before the end record", .gap) { $0.gapBeforeEnd = [0] },
    .init("bytes between two entries", .gap) { $0.entries[0].gapAfter = [1, 2, 3] },
    .init("too few entries counted", .entryCount) {
      $0.end.entries = 3
      $0.end.entriesOnDisk = 3
    },
    .init("too many entries counted", .entryCount) {
      $0.end.entries = 5
      $0.end.entriesOnDisk = 5
    },
    .init("only the total wrong", .entryCount) { $0.end.entries = 5 },
    .init("no entries counted", .entryCount) {
      $0.end.entries = 0
      $0.end.entriesOnDisk = 0
    },
    .init("a directory size too small", .directorySize) { $0.end.directorySize = 100 },
    .init("a directory size too small by one record", .directorySize) {
      let layout = $0.layout()
      let first = layout.records[.centralRecord("ContentInfo.plist")]?.count ?? 0
      let all = layout.records.filter { if case .centralRecord = $0.key { true } else { false } }
      $0.end.directorySize = UInt32(all.values.reduce(0) { $0 + $1.count } - first)
    },
    .init("a directory size too large", .directorySize) { $0.end.directorySize = 100_000 },
    .init("a directory size of no bytes", .directorySize) { $0.end.directorySize = 0 },
    .init("a directory offset too small", .directorySize) { $0.end.directoryOffset = 3 },
    .init("a directory offset too large", .directorySize) { $0.end.directoryOffset = 0x7FFF_FFFF },
    .init("a size and an offset of which the sum wraps 32 bits", .directorySize) {
      let record = $0.layout().records[.endRecord]?.lowerBound ?? 0
      $0.end.directoryOffset = UInt32(record) + 0x10
      $0.end.directorySize = .max - 0xF
    },
    .init("a damaged first central record", .directoryRecord) {
      $0.entries[0].central.signature = 0x0201_4B51
    },
    .init("a damaged central record", .directoryRecord) { $0.entries[2].central.signature ^= 0x0100_0000 },
    .init("a damaged last central record", .directoryRecord) { $0.entries[3].central.signature = 0 },
    .init("a name longer than its central record", .directoryRecord) {
      $0.entries[1].central.nameLength = 0xFFFF
    },
    .init("a name length that is one off", .directoryRecord) { $0.entries[1].central.nameLength = 19 },
    .init("a last name length that is one off", .directoryRecord) { $0.entries[3].central.nameLength = 23 },
    .init("an extra length that is too long", .directoryRecord) { $0.entries[3].central.extraLength = 4 },
    .init("a comment length that is too long", .directoryRecord) { $0.entries[3].central.commentLength = 4 },
    .init("a damaged end record", .truncated) { $0.end.signature = 0 },
  ]

  @Test(arguments: endRecord)
  func `a defect of the end record or the directory has one finding`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  static let zip64: [SpoiledArchive] = [
    .init("a damaged record signature", .zip64) { $0.zip64?.signature = 0 },
    .init("a damaged locator signature", .zip64) { $0.zip64?.locatorSignature = 0 },
    .init("another entry count", .zip64) { $0.zip64?.entries = 7 },
    .init("another entry count on this disk", .zip64) { $0.zip64?.entriesOnDisk = 7 },
    .init("another directory size", .zip64) { $0.zip64?.directorySize = 7 },
    .init("another directory offset", .zip64) { $0.zip64?.directoryOffset = 7 },
    .init("a directory offset of 2^63", .zip64) { $0.zip64?.directoryOffset = 1 << 63 },
    .init("a wrong entry count in the end record", .zip64) { $0.end.entries = 5 },
    .init("a wrong directory size in the end record", .zip64) { $0.end.directorySize = 5 },
    .init("a wrong locator", .zip64) { $0.zip64?.recordOffset = 7 },
    .init("a locator that points at 2^62", .zip64) { $0.zip64?.recordOffset = 1 << 62 },
    .init("a locator that points at 2^64 - 1", .zip64) { $0.zip64?.recordOffset = .max },
    .init("a gap before the locator", .zip64) { $0.zip64?.gap = [0] },
    .init("extensible data", .zip64) { $0.zip64?.extensibleData = [1, 2, 3, 4] },
    .init("a size too large", .zip64) { $0.zip64?.size = 45 },
    .init("a size of 2^62", .zip64) { $0.zip64?.size = 1 << 62 },
    .init("a size that wraps", .zip64) { $0.zip64?.size = .max },
    .init("another disk", .multiDisk) {
      $0.zip64?.disk = 1
      $0.end.disk = .max
    },
    .init("a directory on another disk", .multiDisk) {
      $0.zip64?.directoryDisk = 1
      $0.end.directoryDisk = .max
    },
    .init("a locator that names another disk", .multiDisk) { $0.zip64?.locatorDisk = 1 },
    .init("a locator that counts no disk", .multiDisk) { $0.zip64?.disks = 0 },
    .init("a hostile entry count", .entryCount) {
      $0.zip64?.entries = 1 << 62
      $0.zip64?.entriesOnDisk = 1 << 62
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
    },
    .init("a hostile directory size", .directorySize) {
      $0.zip64?.directorySize = 1 << 62
      $0.end.directorySize = .max
    },
    .init("a hostile directory offset", .directorySize) {
      $0.zip64?.directoryOffset = .max
      $0.end.directoryOffset = .max
    },
    .init("a sum that wraps 64 bits", .directorySize) {
      let record = $0.layout().records[.zip64Record]?.lowerBound ?? 0
      $0.zip64?.directoryOffset = UInt64(record) + 16
      $0.zip64?.directorySize = .max - 15
      $0.end.directoryOffset = .max
      $0.end.directorySize = .max
    },
  ]

  @Test(arguments: zip64)
  func `a defect of the ZIP64 end records has one finding`(_ archive: SpoiledArchive) throws {
    try SpoiledArchive(archive.testDescription, archive.kinds) {
      $0.zip64 = ForgedZip64()
      archive.spoil(&$0)
    }.check()
  }

  static let references: [SpoiledArchive] = [
    .init("count", .zip64) {
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
    },
    .init("directory size", .zip64) { $0.end.directorySize = .max },
    .init("directory offset", .zip64) { $0.end.directoryOffset = .max },
  ]

  @Test(arguments: references)
  func `numbers that refer to a ZIP64 end record require one`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  @Test func `a count that is right only modulo 65536 is refused, and without ZIP64 65535 entries are not`()
    throws
  {
    var archive = ForgedArchive(Array(repeating: .file("Contents/a", ""), count: 65_540))
    #expect(try ZipStructure(of: archive).findings.map(\.kind) == [.entryCount])
    archive.entries.removeLast(5)
    #expect(try ZipStructure(of: archive).findings == [])
  }

  @Test func `a file that is not an archive is reported as such`() throws {
    for bytes: [UInt8] in [[], [0], Array("PK".utf8), Array("not a ZIP archive, but a text".utf8)] {
      let structure = try ZipStructure(of: bytes)
      #expect(structure.findings.map(\.kind) == [.notAZip])
      #expect(structure.entries == [])
    }
  }

  @Test func `an archive without entries has no finding, and unlisted entries are a gap`() throws {
    #expect(try ZipStructure(of: ForgedArchive()).findings == [])
    var archive = ForgedArchive.book()
    archive.directoryOrder = []
    #expect(try ZipStructure(of: archive).findings.map(\.kind) == [.gap])
  }
}

extension ForgedArchive {
  /// Inserts bytes before the first entry and adds their count to all offsets.
  fileprivate mutating func shiftAll(by bytes: [UInt8]) {
    let layout = layout()
    prefix = bytes
    for index in entries.indices {
      entries[index].central.offset = UInt32(layout.offsets[index] + bytes.count)
    }
    let directory = layout.records.compactMap { record, range in
      if case .centralRecord = record { range.lowerBound } else { nil }
    }.min()
    end.directoryOffset = UInt32((directory ?? 0) + bytes.count)
  }
}
