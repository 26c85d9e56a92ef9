import ContentPackage
import PackageForge
import Testing

/// Headers that disagree or request features that no package needs.
struct HeaderTests {
  static let fields: [HostilePackage] = [
    // The compression method.
    .init("a method that only the local header has", .archiveLocalMismatch) {
      $0[Name.stored].local.method = 8
    },
    .init("a method that only the central record has", .archiveLocalMismatch) {
      $0[Name.deflated].local.method = 0
    },
    .init("method 264 in both headers", .archiveMethod) { $0[Name.deflated].method = 264 },
    .init("method 264 in the local header", .archiveLocalMismatch) { $0[Name.deflated].local.method = 264 },
    .init("method 264 in the central record", .archiveMethod) { $0[Name.deflated].central.method = 264 },
    .init("method 256, which is not stored", .archiveMethod) { $0[Name.stored].method = 256 },
    .init("deflate64", .archiveMethod) { $0[Name.deflated].method = 9 },
    .init("LZMA", .archiveMethod) { $0[Name.stored].method = 14 },
    .init("Zstandard for the manifest", .archiveMethod) { $0[Name.manifest].method = 93 },
    // Sizes and checksum.
    .init("another size in the local header", .archiveLocalMismatch) { $0[Name.stored].local.size = 9 },
    .init("another compressed size in the local header", .archiveLocalMismatch) {
      $0[Name.stored].local.compressedSize = 7
    },
    .init("another checksum in the local header", .archiveLocalMismatch) {
      $0[Name.stored].local.crc32 ^= 1
    },
    .init("another size in the central record", .archiveLocalMismatch) { $0[Name.stored].central.size = 7 },
    .init("a size of 0 in the local header", .archiveLocalMismatch) { $0[Name.stored].local.size = 0 },
    .init("a compressed size of 0 in the local header", .archiveLocalMismatch) {
      $0[Name.stored].local.compressedSize = 0
    },
    .init("a checksum of 0 in the local header", .archiveLocalMismatch) { $0[Name.stored].local.crc32 = 0 },
    .init("zeros in the local header without a descriptor", .archiveLocalMismatch) {
      $0[Name.stored].local.crc32 = 0
      $0[Name.stored].local.compressedSize = 0
      $0[Name.stored].local.size = 0
    },
    .init("another size beside a descriptor", .archiveLocalMismatch) { $0[Name.deflated].local.size = 5 },
    // The name.
    .init("another local name", .archiveLocalMismatch) { $0[Name.stored].local.name[9] ^= 1 },
    .init("a local name that leaves the package", .archiveLocalMismatch) {
      $0[Name.stored].local.name = Array("../../../../../evil.tx".utf8)
    },
    .init("a shorter local name", .archiveLocalMismatch) { $0[Name.stored].local.name.removeLast() },
    .init("a longer local name", .archiveLocalMismatch) { $0[Name.stored].local.name.append(0x78) },
    .init("a local name in another letter case", .archiveLocalMismatch) {
      $0[Name.stored].local.name[9] = UInt8(ascii: "P")
    },
    .init("another local name of the manifest", .archiveLocalMismatch) {
      $0[Name.manifest].local.name[0] = UInt8(ascii: "c")
    },
    .init("a folder's slash in the local header only", .archiveLocalMismatch) {
      $0[Name.folder].central.name.removeLast()
      $0[Name.folder].mode = 0o100644
      $0[Name.folder].externalAttributes &= ~0x10
      $0.entries.removeAll { $0.madeAs == Name.stored }
    },
  ]

  @Test(arguments: fields)
  func `a header that contradicts the other is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let flags: [HostilePackage] = (0..<16).filter { ![1, 2, 3, 11].contains($0) }.flatMap { bit in
    // Bit 0 encrypts, 6 encrypts strongly, 13 masks the local header; 5 is patched data, the rest are reserved.
    let rule: Rule = [0, 6, 13].contains(bit) ? .archiveEncrypted : .archiveFlags
    return [
      HostilePackage("flag \(bit) in both headers", rule) { $0[Name.stored].flags |= 1 << bit },
      HostilePackage("flag \(bit) in the local header", rule) { $0[Name.stored].local.flags |= 1 << bit },
      HostilePackage("flag \(bit) in the central record", rule) { $0[Name.stored].central.flags |= 1 << bit },
    ]
  }

  @Test(arguments: flags)
  func `encryption, patches and reserved flags are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let encryption: [HostilePackage] = [
    .init("a traditionally encrypted entry", .archiveEncrypted) {
      $0[Name.stored].flags |= 1
      $0[Name.stored].data = [UInt8](repeating: 0xA5, count: 12) + $0[Name.stored].data
      $0[Name.stored].compressedSize += 12
    },
    .init("strong encryption with masked values", .archiveEncrypted) {
      $0[Name.stored].flags |= 1 << 0 | 1 << 6 | 1 << 13
      $0[Name.stored].local.crc32 = 0
      $0[Name.stored].local.size = 0
      $0[Name.stored].local.compressedSize = 0
      $0[Name.stored].local.name = Array("1".utf8)
    },
    .init("WinZip's AES", .archiveEncrypted) {
      $0[Name.stored].extra = [ForgedExtra(0x9901, [2, 0, 0x41, 0x45, 3, 0, 0])]
      $0[Name.stored].method = 99
      $0[Name.stored].flags |= 1
    },
    .init("a strong encryption header", .archiveEncrypted) {
      $0[Name.stored].central.extra = [ForgedExtra(0x0017, [2, 0, 0x0E, 0x66, 0, 1, 1, 0])]
    },
    .init("an encrypted manifest", .archiveEncrypted) { $0[Name.manifest].flags |= 1 },
  ]

  @Test(arguments: encryption)
  func `an encrypted entry is refused`(_ package: HostilePackage) throws { try package.checkRefusal() }

  static let extraFields: [HostilePackage] = [
    // Info-ZIP's Unicode path.
    .init("another Unicode path", .archiveExtraField) {
      $0[Name.stored].extra = [.unicodePath(Array("Contents/evil".utf8), for: $0[Name.stored].name)]
    },
    .init("a Unicode path that leaves the package", .archiveExtraField) {
      $0[Name.stored].extra = [.unicodePath(Array("../../evil\u{1B}[2J".utf8), for: $0[Name.stored].name)]
    },
    .init("a Unicode path with the checksum of another name", .archiveExtraField) {
      $0[Name.stored].extra = [.unicodePath($0[Name.stored].name, for: Array("x".utf8))]
    },
    .init("a Unicode path of version 2", .archiveExtraField) {
      $0[Name.stored].extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name, version: 2)]
    },
    .init("two equal Unicode paths", .archiveExtraField) {
      let field = ForgedExtra.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)
      $0[Name.stored].extra = [field, field]
    },
    .init("two different Unicode paths", .archiveExtraField) {
      let name = $0[Name.stored].name
      $0[Name.stored].extra = [.unicodePath(name, for: name), .unicodePath([0x78], for: name)]
    },
    .init("a Unicode path in the local header only", .archiveExtraField) {
      $0[Name.stored].local.extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)]
    },
    .init("a Unicode path in the central record only", .archiveExtraField) {
      $0[Name.stored].central.extra = [.unicodePath($0[Name.stored].name, for: $0[Name.stored].name)]
    },
    // libarchive's field.
    .init("the field 0x6C78 in both headers", .archiveExtraField) {
      $0[Name.stored].extra = [ForgedExtra(0x6C78, [4, 0, 0, 0xFF, 0xA1])]
    },
    .init("the field 0x6C78 in the local header", .archiveExtraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x6C78, [4, 0, 0, 0xED, 0x89])]
    },
    .init("the field 0x6C78 in the central record", .archiveExtraField) {
      $0[Name.stored].central.extra = [ForgedExtra(0x6C78, [])]
    },
    // Other fields that change the kind of an entry.
    .init("an ASi mode of a link", .archiveExtraField) {
      $0[Name.stored].extra = [
        ForgedExtra(0x756E, [0, 0, 0, 0, 0xFF, 0xA1] + [UInt8](repeating: 0, count: 8))
      ]
    },
    .init("PKWARE's Unix field with a link target", .archiveExtraField) {
      $0[Name.stored].extra = [ForgedExtra(0x000D, [UInt8](repeating: 0x61, count: 13))]
    },
    .init("a patch descriptor", .archiveExtraField) { $0[Name.stored].extra = [ForgedExtra(0x000F, [])] },
    // Fields that overrun their header.
    .init("a field that overruns the local header", .archiveExtraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x5455, [1], length: 5)]
    },
    .init("a field that overruns the central record", .archiveExtraField) {
      $0[Name.stored].central.extra = [ForgedExtra(0x5455, [1], length: 0xFFFF)]
    },
    .init("three bytes that are no field", .archiveExtraField) {
      $0[Name.stored].local.extra = [ForgedExtra(0x5455, [])]
      $0[Name.stored].local.extraLength = 3
    },
    .init("a length of extra fields that reaches into the data", .archiveExtraField) {
      $0[Name.stored].local.extraLength = 4
    },
  ]

  @Test(arguments: extraFields)
  func `an extra field that changes the entry's kind or name, or overruns its header, is refused`(
    _ package: HostilePackage
  ) throws { try package.checkRefusal() }

  static let kinds: [HostilePackage] = [
    .init("a folder with stored data", .archiveSizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [1, 2, 3], mode: 0o040755))
    },
    .init("a folder with deflated data", .archiveSizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [1, 2, 3], method: .deflated, mode: 0o040755))
    },
    .init("a folder with data that decode to nothing and hide some", .archiveSizeMismatch) {
      $0.add(ForgedEntry("Contents/folder/", [], method: .deflated, mode: 0o040755))
      $0["Contents/folder/"].data = [3, 0, 7]
      $0["Contents/folder/"].compressedSize = 3
    },
    .init("a folder's name with a file's mode", .archiveDirectoryRecord) { $0[Name.folder].mode = 0o100644 },
    .init("a folder's name with a link's mode", .archiveDirectoryRecord) { $0[Name.folder].mode = 0o120777 },
    .init("a file's name with a folder's mode", .archiveDirectoryRecord) { $0[Name.stored].mode = 0o040755 },
    .init("a file with the folder attribute", .archiveDirectoryRecord) {
      $0[Name.stored].externalAttributes |= 0x10
    },
    .init("a file without a mode and with the folder attribute", .archiveDirectoryRecord) {
      $0[Name.stored].externalAttributes = 0x10
      $0[Name.stored].host = 0
    },
  ]

  @Test(arguments: kinds)
  func `a folder with the data or mode of a file, and the reverse, is refused`(_ package: HostilePackage)
    throws
  {
    try package.checkRefusal()
  }

  @Test(arguments: (0...255 as ClosedRange<UInt8>).filter { $0 != 3 })
  func `a link of another host system than Unix is refused, because not all readers see a link`(_ host: UInt8)
    throws
  {
    try HostilePackage("host \(host)", .archiveDirectoryRecord) {
      $0.add(.link("Contents/link", to: "cover.txt"))
      $0["Contents/link"].host = host
    }.checkRefusal()
  }
}
