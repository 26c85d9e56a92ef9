import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Findings about the headers and data of one entry.
struct EntryFindingTests {
  @Test func `only the first findings of a kind are kept, and the last one counts the omitted ones`() throws {
    let maximum = 1_000
    let entries = (0..<maximum + 3).map { number in
      var entry = ForgedEntry.file("\(number)", "")
      entry.central.comment = [0x61]
      return entry
    }
    let findings = try ZipStructure(of: ForgedArchive(entries)).findings
    #expect(findings.count == maximum)
    #expect(findings.last?.omitted == 3)
    #expect(findings.dropLast().allSatisfy { $0.omitted == 0 })
  }

  static let fields: [SpoiledArchive] = [
    .init("a method that only the local header has", .localMismatch) { $0[Name.stored].local.method = 8 },
    .init("a method whose upper byte differs in the local header", .localMismatch) {
      $0[Name.deflated].local.method = 264
    },
    .init("a method with an upper byte in the central record only", .method) {
      $0[Name.deflated].central.method = 264
    },
    .init("a method with an upper byte in both headers", .method) { $0[Name.deflated].method = 264 },
    .init("a method that is not allowed", .method) { $0[Name.stored].method = 12 },
    .init("a size that the local header contradicts", .localMismatch) { $0[Name.stored].local.size = 9 },
    .init("a size that the central record contradicts", .localMismatch) { $0[Name.stored].central.size = 9 },
    .init("a compressed size that the local header contradicts", .localMismatch) {
      $0[Name.stored].local.compressedSize = 9
    },
    .init("a compressed size that the central record contradicts", .localMismatch) {
      $0[Name.stored].central.compressedSize = 9
    },
    .init("a checksum that the local header contradicts", .localMismatch) {
      $0[Name.stored].local.crc32 ^= 1
    },
    .init("zeros in the local header", .localMismatch) {
      $0[Name.stored].local.crc32 = 0
      $0[Name.stored].local.compressedSize = 0
      $0[Name.stored].local.size = 0
    },
    .init("a wrong size in a local header with descriptor", .localMismatch) {
      $0[Name.deflated].local.size = 1
    },
    .init("a wrong checksum in a local header with descriptor", .localMismatch) {
      $0[Name.deflated].local.crc32 = 1
    },
    .init("another name", .localMismatch) { $0[Name.stored].local.name[0] = 0x63 },
    .init("a shorter name", .localMismatch) { $0[Name.stored].local.name.removeLast() },
    .init("a control character in the local name", .localMismatch) { $0[Name.stored].local.name[3] = 0x1B },
    .init("a local name length that is one off", .localMismatch) { $0[Name.stored].local.nameLength = 23 },
    .init("a local name length beyond all bounds", .localMismatch) {
      $0[Name.stored].local.nameLength = 0xFFFF
    },
    .init("a damaged local header", .localMismatch) { $0[Name.stored].local.signature = 0 },
    .init("a damaged first local header", .localMismatch) { $0.entries[0].local.signature = 0 },
    .init("an offset that is one off", .localMismatch) { $0.entries[0].central.offset = 1 },
    .init("an offset beyond the end", .localMismatch) { $0[Name.stored].central.offset = 0xFFFF_FFF0 },
    .init("the flag of a descriptor in the central record only", .localMismatch) {
      $0[Name.stored].central.flags = 8
    },
    .init("the flag of a descriptor in the local header only", .localMismatch) {
      $0[Name.deflated].central.flags = 0
    },
    .init("the flag of UTF-8 in one header only", .localMismatch) { $0[Name.stored].local.flags = 1 << 11 },
    .init("the flag of fast compression in one header only", .localMismatch) {
      $0[Name.stored].local.flags = 4
    },
    .init("no data but a size", .sizeMismatch) {
      $0[Name.deflated].compressedSize = 0
      $0[Name.deflated].data = []
    },
    .init("no data but a checksum", .checksum) {
      $0.add(.file("Contents/empty", ""))
      $0["Contents/empty"].crc32 = 1
    },
    .init("no data but a checksum, and a descriptor", .checksum) {
      $0.add(.file("Contents/empty", "", descriptor: ForgedDescriptor()))
      $0["Contents/empty"].central.crc32 = 1
    },
    .init("stored with two sizes", .sizeMismatch) { $0[Name.stored].size = 9 },
    .init("stored with two sizes and a descriptor", .sizeMismatch) {
      $0.add(.file("Contents/z", "zzz", descriptor: ForgedDescriptor()))
      $0["Contents/z"].central.size = 9
    },
    .init("bytes that the compressed size does not count", .gap) { $0[Name.stored].data.append(0) },
    .init("data that run into the next entry", .overlap) {
      $0.entries[0].data.removeLast()
    },
    .init("data that run into the central directory", .overlap) { $0[Name.stored].data.removeLast() },
    .init("data that are longer than the file", .overlap) {
      $0.add(.file("Contents/z", "z", method: .deflated))
      $0["Contents/z"].compressedSize = 0xFFFF_FFF0
    },
    .init("a local entry that is not listed", .gap) { $0.directoryOrder = [0, 2, 3] },
    .init("two central records for one local header", .overlap) {
      $0.directoryOrder = [0, 1, 2, 3, 1]
    },
  ]

  @Test(arguments: fields)
  func `a defect of an entry has one finding`(_ archive: SpoiledArchive) throws { try archive.check() }

  @Test func `an entry inside of another's data overlaps it`() throws {
    let inner = ForgedEntry.file("Contents/inner", "inner")
    let header = ForgedArchive([inner]).layout()
    let innerEnd = try #require(header.records[.localHeader("Contents/inner")]).upperBound + inner.data.count
    var archive = ForgedArchive.book()
    archive[Name.stored] = .file(Name.stored, Array(header.bytes[..<innerEnd]) + [1, 2, 3])
    var listed = inner
    let outer = try #require(archive.layout().records[.localHeader(Name.stored)])
    listed.central.offset = UInt32(outer.upperBound)
    listed.isOnlyListed = true
    archive.add(listed)
    let structure = try ZipStructure(of: archive)
    #expect(structure.findings.map(\.kind) == [.overlap])
    #expect(structure.findings.first?.path == EntryPath("Contents/inner"))
  }

  static let flags: [SpoiledArchive] = (0..<16).filter { ![1, 2, 3, 11].contains($0) }.flatMap { bit in
    let kind: ZipFinding.Kind = [0, 6, 13].contains(bit) ? .encrypted : .flags
    return [
      SpoiledArchive("flag \(bit) in both headers", kind) { $0[Name.stored].flags |= 1 << bit },
      SpoiledArchive("flag \(bit) in the local header", kind) { $0[Name.stored].local.flags |= 1 << bit },
      SpoiledArchive("flag \(bit) in the central record", kind) { $0[Name.stored].central.flags |= 1 << bit },
    ]
  }

  @Test(arguments: flags)
  func `flags other than those of a plain archive are refused`(_ archive: SpoiledArchive) throws {
    try archive.check()
  }

  static let descriptorForms = [true, false].flatMap { hasSignature in
    [true, false].map { ForgedDescriptor(hasSignature: hasSignature, isWide: $0) }
  }

  static let descriptorDefects: [SpoiledArchive] = [
    .init("checksum", .descriptor) { $0[Name.deflated].descriptor?.crc32 = 7 },
    .init("compressed size", .descriptor) { $0[Name.deflated].descriptor?.compressedSize = 7 },
    .init("size", .descriptor) { $0[Name.deflated].descriptor?.size = 1 << 20 },
    .init("zeros", .descriptor) {
      $0[Name.deflated].descriptor?.crc32 = 0
      $0[Name.deflated].descriptor?.compressedSize = 0
      $0[Name.deflated].descriptor?.size = 0
    },
    .init("a checksum that differs from the central record", .descriptor) {
      let crc32 = $0[Name.deflated].central.crc32
      $0[Name.deflated].descriptor?.crc32 = crc32
      $0[Name.deflated].central.crc32 ^= 1
    },
    .init("a compressed size that differs from the central record", .descriptor) {
      let size = $0[Name.deflated].central.compressedSize
      $0[Name.deflated].descriptor?.compressedSize = UInt64(size)
      $0[Name.deflated].central.compressedSize += 1
    },
    .init("absent", .descriptor) { $0[Name.deflated].descriptor = nil },
    .init("behind an unaccounted byte", .descriptor) { $0[Name.deflated].data.append(0) },
    .init("before an unaccounted byte", .gap) { $0[Name.deflated].gapAfter = [0] },
  ]

  @Test(arguments: descriptorForms, descriptorDefects)
  func `a wrong data descriptor is refused in each form`(_ form: ForgedDescriptor, _ defect: SpoiledArchive)
    throws
  {
    try SpoiledArchive(defect.testDescription, defect.kinds) {
      $0[Name.deflated].descriptor = form
      defect.spoil(&$0)
    }.check()
  }

  @Test func `a descriptor with a wrong signature is rejected`() throws {
    try SpoiledArchive("signature", .descriptor) { $0[Name.deflated].descriptor?.signature ^= 1 }.check()
  }
}
