import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Findings about extra fields and the header fields that they replace.
struct ExtraFieldFindingTests {
  static let zip64: [SpoiledArchive] = [
    .init("missing for a size", .zip64) { $0[Name.stored].size = .max },
    .init("missing for a compressed size", .zip64) { $0[Name.stored].compressedSize = .max },
    .init("missing for an offset", .zip64) { $0[Name.stored].central.offset = .max },
    .init("missing in the local header", .zip64) { $0[Name.stored].local.size = .max },
    .init("twice", .zip64) { $0[Name.stored].extra = [.zip64(8, 8), .zip64(8, 8)] },
    .init("twice in the local header", .zip64) { $0[Name.stored].local.extra = [.zip64(), .zip64()] },
    .init("contradicting the header", .zip64) { $0[Name.stored].extra = [.zip64(9, 8)] },
    .init("contradicting the local header", .zip64) { $0[Name.stored].local.extra = [.zip64(8, 9)] },
    .init("with fewer numbers than needed", .zip64) {
      $0[Name.stored].extra = [.zip64(8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("with more numbers than needed", .zip64) {
      $0[Name.stored].central.extra = [.zip64(8, 8)]
      $0[Name.stored].central.size = .max
    },
    .init("of a length that no numbers have", .zip64) {
      $0[Name.stored].central.extra = [ForgedExtra(1, [8, 0, 0, 0])]
    },
    .init("different in the local header", .localMismatch) {
      $0[Name.stored].extra = [.zip64(8, 8)]
      $0[Name.stored].local.extra = [.zip64(9, 8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
  ]

  @Test(arguments: zip64)
  func `a defect of a ZIP64 field has one finding`(_ archive: SpoiledArchive) throws { try archive.check() }

  @Test(arguments: [1 << 62, 1 << 63, UInt64.max, 1 << 41])
  func `a ZIP64 field that claims an absurd number is refused`(_ number: UInt64) throws {
    try SpoiledArchive("both sizes", .zip64) {
      $0[Name.stored].extra = [.zip64(number, number)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    }.check()
    try SpoiledArchive("size", .zip64) {
      $0[Name.stored].central.extra = [.zip64(number)]
      $0[Name.stored].central.size = .max
    }.check()
    try SpoiledArchive("offset", .zip64) {
      $0[Name.stored].central.extra = [.zip64(number)]
      $0[Name.stored].central.offset = .max
    }.check()
    try SpoiledArchive("size in the local header", .zip64) {
      $0[Name.stored].local.extra = [.zip64(number)]
      $0[Name.stored].local.size = .max
    }.check()
  }

  static let fields: [SpoiledArchive] = [
    .init("another Unicode path", .extraField) {
      $0[Name.stored].extra = [.unicodePath(Array("Contents/evil".utf8), for: $0[Name.stored].name)]
    },
    .init("another Unicode path with a control character", .extraField) {
      $0[Name.stored].extra = [.unicodePath([0x1B, 0xFF], for: $0[Name.stored].name)]
    },
    .init("a Unicode path with a bad checksum", .extraField) {
      $0[Name.stored].extra = [.unicodePath($0[Name.stored].name, for: [])]
    },
    .init("a Unicode path of version 2", .extraField) {
      $0[Name.stored].extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name, version: 2)]
    },
    .init("a Unicode path that is too short", .extraField) {
      $0[Name.stored].extra = [ForgedExtra(0x7075, [1])]
    },
    .init("two Unicode paths", .extraField) {
      let field = ForgedExtra.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)
      $0[Name.stored].extra = [field, field]
    },
    .init("a Unicode path in the local header only", .extraField) {
      $0[Name.stored].local.extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)]
    },
    .init("a Unicode path in the central record only", .extraField) {
      $0[Name.stored].central.extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)]
    },
    .init("libarchive's field", .extraField) { $0[Name.stored].extra = [ForgedExtra(0x6C78, [0])] },
    .init("libarchive's field in the local header", .extraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x6C78, [4, 0, 0, 0xFF, 0xA1])]
    },
    .init("an ASi mode of a link", .extraField) {
      $0[Name.stored].local.extra = [
        ForgedExtra(0x756E, [0, 0, 0, 0, 0xFF, 0xA1] + [UInt8](repeating: 0, count: 8))
      ]
    },
    .init("an ASi mode of a link before one of a file", .extraField) {
      $0[Name.stored].extra = [UInt8(0xA1), 0x81].map { mode in
        ForgedExtra(0x756E, [0, 0, 0, 0, 0xFF, mode] + [UInt8](repeating: 0, count: 8))
      }
    },
    .init("an ASi field that is too short", .extraField) {
      $0[Name.stored].extra = [ForgedExtra(0x756E, [0])]
    },
    .init("PKWARE's Unix field with a link target", .extraField) {
      $0[Name.stored].extra = [ForgedExtra(0x000D, [UInt8](repeating: 0x61, count: 13))]
    },
    .init("a patch descriptor", .extraField) { $0[Name.stored].extra = [ForgedExtra(0x000F, [])] },
    .init("WinZip's AES", .encrypted) {
      $0[Name.stored].extra = [ForgedExtra(0x9901, [2, 0, 0x41, 0x45, 3, 0, 0])]
    },
    .init("WinZip's AES as its method", .encrypted) {
      $0[Name.stored].extra = [ForgedExtra(0x9901, [2, 0, 0x41, 0x45, 3, 0, 0])]
      $0[Name.stored].method = 99
      $0[Name.stored].flags = 1
    },
    .init("strong encryption", .encrypted) { $0[Name.stored].central.extra = [ForgedExtra(0x0017, [])] },
    .init("a field that overruns the central record", .extraField) {
      $0[Name.stored].central.extra = [ForgedExtra(0x5455, [0], length: 2)]
    },
    .init("a field that overruns the local header", .extraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x5455, [0], length: 2)]
    },
    .init("a field that overruns both headers", .extraField) {
      $0[Name.stored].extra = [.time, ForgedExtra(0x5455, [0], length: 0xFFFF)]
    },
    .init("a length of extra fields that cuts the last", .extraField) {
      $0[Name.stored].local.extra = [.time]
      $0[Name.stored].local.extraLength = 8
    },
    .init("a length of extra fields of no byte", .gap) {
      $0[Name.stored].local.extra = [.time]
      $0[Name.stored].local.extraLength = 0
    },
    .init("three bytes that are no field", .extraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x5455, [])]
      $0[Name.stored].local.extraLength = 3
    },
  ]

  @Test(arguments: fields)
  func `a defect of an extra field has one finding`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  static let kinds: [SpoiledArchive] = [
    .init("a folder with stored data", .sizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [1, 2, 3], mode: 0o040755))
    },
    .init("a folder with deflated data", .sizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [1, 2, 3], method: .deflated, mode: 0o040755))
    },
    .init("a folder with deflated data of no bytes that hide some", .sizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [], method: .deflated, mode: 0o040755))
      $0["Contents/folder/"].data = [3, 0, 7]
      $0["Contents/folder/"].compressedSize = 3
    },
    .init("a folder with two bytes that are not the empty stream", .sizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [], method: .deflated, mode: 0o040755))
      $0["Contents/folder/"].data = [7, 7]
    },
    .init("a folder with a file's mode", .directoryRecord) { $0[Name.folder].mode = 0o100644 },
    .init("a folder with a link's mode", .directoryRecord) { $0[Name.folder].mode = 0o120777 },
    .init("a file with a folder's mode", .directoryRecord) { $0[Name.stored].mode = 0o040755 },
    .init("a file with the folder attribute", .directoryRecord) {
      $0[Name.stored].externalAttributes |= 0x10
    },
    .init("a link with the folder attribute", .directoryRecord) {
      $0.add(.link("Contents/link", to: "cover.txt"))
      $0["Contents/link"].externalAttributes |= 0x10
    },
  ]

  @Test(arguments: kinds)
  func `a name and attributes that disagree on the kind are refused`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  @Test(arguments: 0...255 as ClosedRange<UInt8>)
  func `a link is accepted only from host 3 (Unix), where all readers see a link`(_ host: UInt8) throws {
    var archive = ForgedArchive.book()
    archive.add(.link("Contents/link", to: "cover.txt"))
    archive["Contents/link"].host = host
    let structure = try ZipStructure(of: archive)
    #expect(structure.entries.last?.kind == .link)
    #expect(structure.findings.map(\.kind) == (host == 3 ? [] : [.directoryRecord]))
  }
}
