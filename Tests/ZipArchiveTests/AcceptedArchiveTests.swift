import PackageForge
import SafeFiles
import Testing
import ZipArchive

struct AcceptedArchiveTests {
  @Test func `a valid package has no finding, and the entries that it was built from`() throws {
    let archive = ForgedArchive.book()
    let layout = archive.layout()
    let structure = try ZipStructure(of: archive)

    #expect(structure.findings == [])
    #expect(structure.isSound)
    #expect(
      structure.entries.map(\.path) == [
        EntryPath("ContentInfo.plist"), EntryPath("Contents/cover.txt"), EntryPath("Contents/pages"),
        EntryPath("Contents/pages/one.txt"),
      ])
    #expect(structure.entries.map(\.kind) == [.file, .file, .folder, .file])
    #expect(structure.entries.map(\.method) == [.stored, .deflated, .stored, .stored])
    #expect(structure.entries.map(\.permissions) == [0o644, 0o644, 0o755, 0o644])
    for (entry, forged) in zip(structure.entries, archive.entries) {
      let header = try #require(layout.records[.localHeader(forged.madeAs)])
      let record = try #require(layout.records[.centralRecord(forged.madeAs)])
      let descriptor = layout.records[.descriptor(forged.madeAs)]
      #expect(entry.localHeaderOffset == header.lowerBound)
      #expect(entry.dataOffset == header.upperBound)
      #expect(entry.endOffset == descriptor?.upperBound ?? header.upperBound + forged.data.count)
      #expect(entry.centralDirectoryHeader == Int64(record.lowerBound)..<Int64(record.upperBound))
      #expect(entry.offsetField == 42..<46)
      #expect(entry.crc32 == forged.crc32)
      #expect(entry.size == forged.size)
      #expect(entry.compressedSize == forged.compressedSize)
    }
  }

  static let accepted: [SpoiledArchive] = [
    .init("no folder entries") { $0.entries.removeAll { $0.madeAs == Name.folder } },
    .init("only stored entries") { $0.entries.removeAll { $0.madeAs == Name.deflated } },
    .init("an empty file") { $0.add(.file("Contents/empty", "")) },
    .init("an empty deflated file") { $0.add(.file("Contents/empty", "", method: .deflated)) },
    .init("a folder that claims to be deflated") {
      $0.add(.folder("Contents/empty/"))
      $0["Contents/empty/"].method = 8
    },
    .init("a deflated folder of no bytes, as Java writes it") {
      $0.add(ForgedEntry("Contents/java/", [], method: .deflated, mode: 0o040755))
    },
    .init("a deflate bomb") { $0.add(.zeros("Contents/zeros", count: 1_000_000)) },
    .init("a descriptor with signature") { $0[Name.deflated].descriptor = ForgedDescriptor() },
    .init("a descriptor without signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(hasSignature: false)
    },
    .init("a wide descriptor with signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(isWide: true)
    },
    .init("a wide descriptor without signature") {
      $0[Name.deflated].descriptor = ForgedDescriptor(hasSignature: false, isWide: true)
    },
    .init("a descriptor of a last entry") {
      $0.add(.file("Contents/z", "z", method: .deflated, descriptor: ForgedDescriptor()))
    },
    .init("a descriptor of a stored entry") {
      $0.add(.file("Contents/z", "z", descriptor: ForgedDescriptor()))
    },
    .init("a descriptor and the size in the local header, as libarchive writes them") {
      $0[Name.deflated].local.size = $0[Name.deflated].central.size
    },
    .init("a descriptor and everything in the local header") {
      $0[Name.deflated].local.size = $0[Name.deflated].central.size
      $0[Name.deflated].local.compressedSize = $0[Name.deflated].central.compressedSize
      $0[Name.deflated].local.crc32 = $0[Name.deflated].central.crc32
    },
    .init("an NFD name") { $0.add(.file("Contents/e\u{301}", "x")) },
    .init("a component of 255 bytes") {
      $0.add(.file("Contents/" + String(repeating: "x", count: 255), "x"))
    },
    .init("odd but plain names") {
      for name in ["-rf", "~", "$HOME", "%s", "*", "..."] { $0.add(.file("Contents/" + name, "x")) }
    },
    .init("host MS-DOS without a mode") {
      $0[Name.stored].host = 0
      $0[Name.stored].externalAttributes = 0x20
    },
    .init("host MS-DOS with the mode of a file, as Python writes it on Windows") { $0[Name.stored].host = 0 },
    .init("host Windows") {
      $0[Name.folder].host = 11
      $0[Name.folder].externalAttributes = 0x10
    },
    .init("host Darwin with the mode of a file") { $0[Name.stored].host = 19 },
    .init("no external attributes at all") { $0[Name.folder].externalAttributes = 0 },
    .init("a folder without the folder attribute") { $0[Name.folder].externalAttributes = 0o040755 << 16 },
    .init("a link") { $0.add(.link("Contents/link", to: "cover.txt")) },
    .init("times and owners") { $0[Name.stored].extra = [.time, .owner] },
    .init("times that differ in length between the headers, as Info-ZIP writes them") {
      $0[Name.stored].local.extra = [ForgedExtra(0x5455, [3, 0, 0, 0, 0, 0, 0, 0, 0]), .owner]
      $0[Name.stored].central.extra = [.time]
    },
    .init("a Unicode path that repeats the name") {
      let name = $0[Name.stored].name
      $0[Name.stored].extra = [.unicodePath(name, for: name)]
    },
    .init("an ASi mode that agrees") {
      $0[Name.stored].local.extra = [
        ForgedExtra(0x756E, [0, 0, 0, 0, 0xA4, 0x81] + [UInt8](repeating: 0, count: 8))
      ]
    },
    .init("other versions and times in the two headers") {
      $0[Name.stored].local.versionNeeded = 10
      $0[Name.stored].central.versionNeeded = 45
      $0[Name.stored].local.time = 1
    },
    .init("a directory whose order differs from that of the file") { $0.directoryOrder = [3, 1, 0, 2] },
    .init("a stored ZIP inside, with an end record of its own") {
      $0.add(.file("Contents/nested.zip", ForgedArchive.book().bytes()))
    },
    .init("a ZIP64 end record that is not needed") { $0.zip64 = ForgedZip64() },
    .init("a ZIP64 end record that replaces all numbers") {
      $0.zip64 = ForgedZip64()
      $0.end.entries = .max
      $0.end.entriesOnDisk = .max
      $0.end.directorySize = .max
      $0.end.directoryOffset = .max
      $0.end.disk = .max
      $0.end.directoryDisk = .max
    },
    .init("sizes in ZIP64 fields of both headers") {
      $0[Name.stored].extra = [.zip64(8, 8)]
      $0[Name.stored].size = .max
      $0[Name.stored].compressedSize = .max
    },
    .init("sizes in a ZIP64 field of the local header, as Info-ZIP streams them") {
      $0[Name.stored].local.extra = [.zip64(8, 8)]
      $0[Name.stored].local.size = .max
      $0[Name.stored].local.compressedSize = .max
    },
    .init("unknown sizes in a ZIP64 field of the local header, as Python streams them") {
      $0[Name.deflated].local.extra = [.zip64(0, 0)]
      $0[Name.deflated].local.size = .max
      $0[Name.deflated].local.compressedSize = .max
      $0[Name.deflated].descriptor?.isWide = true
    },
    .init("a ZIP64 field that is not needed and agrees") { $0[Name.stored].extra = [.zip64(8, 8)] },
    .init("an empty ZIP64 field that is not needed") { $0[Name.stored].local.extra = [.zip64()] },
  ]

  @Test(arguments: accepted)
  func `an unusual but valid archive is accepted`(_ archive: SpoiledArchive) throws { try archive.check() }

  static let tolerated: [SpoiledArchive] = [
    .init("a UTF-8 name without its flag", .unflaggedName) {
      $0.add(.file("Contents/é", "x"))
      $0["Contents/é"].flags = 0
    },
    .init("a short comment", .comment) { $0.end.comment = Array("made by hand".utf8) },
    .init("the longest comment that libarchive looks behind", .comment) {
      $0.end.comment = [UInt8](repeating: 0x20, count: ZipStructure.maximumCommentLength)
    },
    .init("a comment of an entry", .comment) { $0[Name.stored].central.comment = Array("why".utf8) },
  ]

  @Test(arguments: tolerated)
  func `an archive with a tolerable finding is sound`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  @Test func `an offset in a ZIP64 field is used, and its position in the record is reported`() throws {
    var archive = ForgedArchive.book()
    let offset = try #require(archive.layout().records[.localHeader(Name.stored)]).lowerBound
    archive[Name.stored].central.extra = [.time, .zip64(UInt64(offset))]
    archive[Name.stored].central.offset = .max
    let bytes = archive.bytes()

    let structure = try ZipStructure(of: bytes)
    #expect(structure.findings == [])
    let entry = try #require(structure.entries.last)
    #expect(entry.localHeaderOffset == offset)
    let field = Int(entry.centralDirectoryHeader.lowerBound) + entry.offsetField.lowerBound
    #expect(entry.offsetField.count == 8)
    #expect(
      bytes[field..<field + 8].elementsEqual((0..<8).map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) }))
  }

  @Test func `an entry other than a file, folder or link has the name of its kind`() throws {
    let kinds: [(UInt16, String)] = [
      (0o010644, "fifo"), (0o020644, "character device"), (0o060644, "block device"), (0o140644, "socket"),
      (0o160644, "whiteout"), (0o150644, "file of unknown type 0150644"),
    ]
    for (mode, name) in kinds {
      for host: UInt8 in [0, 3, 19] {
        var archive = ForgedArchive.book()
        archive[Name.stored].mode = mode
        archive[Name.stored].host = host
        #expect(try ZipStructure(of: archive).entries.last?.kind == .special(name))
      }
    }
    for (attributes, name) in [(0x08 as UInt32, "volume label"), (0x400, "reparse point")] {
      var archive = ForgedArchive.book()
      archive[Name.stored].externalAttributes = attributes
      #expect(try ZipStructure(of: archive).entries.last?.kind == .special(name))
    }
  }

  @Test(arguments: [0, 3, 5, 19] as [UInt8])
  func `permissions have the set-id bits for every host`(_ host: UInt8) throws {
    var archive = ForgedArchive.book()
    archive[Name.stored].mode = 0o106755
    archive[Name.stored].host = host
    #expect(try ZipStructure(of: archive).entries.last?.permissions == 0o6755)
  }
}
