import ContentPackage
import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Sizes over the limit, detected before much is decoded.
struct LimitTests {
  static let declared: [HostilePackage] = [
    .init("one entry of 2 GiB and a byte", .sizeOverLimit) {
      $0.add(.zeros("Contents/zeros", count: 1000))
      $0["Contents/zeros"].size = 0x8000_0001
    },
    .init("one entry of 4 GiB less two bytes", .sizeOverLimit) {
      $0.add(.zeros("Contents/zeros", count: 1000))
      $0["Contents/zeros"].size = 0xFFFF_FFFE
    },
    .init("one entry of 2^40 bytes", .sizeOverLimit) {
      $0.add(.zeros("Contents/zeros", count: 1000))
      $0["Contents/zeros"].size = .max
      $0["Contents/zeros"].extra = [.zip64(1 << 40)]
    },
    .init("one entry whose size is right modulo 2^32", .sizeOverLimit) {
      $0[Name.deflated].descriptor?.isWide = true
      $0[Name.deflated].descriptor?.size = 1 << 32 + 7
      $0[Name.deflated].central.size = .max
      $0[Name.deflated].central.extra = [.zip64(1 << 32 + 7)]
    },
    .init("a sum of two entries", .sizeOverLimit) {
      for name in ["Contents/a", "Contents/b"] {
        $0.add(.zeros(name, count: 1000))
        $0[name].size = 0x4000_0000
      }
    },
    .init("a sum that wraps 32 bits", .sizeOverLimit) {
      for name in ["Contents/a", "Contents/b"] {
        $0.add(.zeros(name, count: 1000))
        $0[name].size = 0x8000_0000
      }
    },
  ]

  @Test(arguments: declared)
  func `a declared total over the limit is refused before anything is decoded`(_ package: HostilePackage)
    throws
  { try package.checkRefusal() }

  @Test func `more entries of 2^40 bytes than 64 bits can add up are refused`() throws {
    var archive = ForgedArchive.book()
    var entry = ForgedEntry.zeros("Contents/zeros", count: 1000)
    entry.size = .max
    entry.extra = [.zip64(1 << 40)]
    archive.entries += (0..<9).map { number in
      var copy = entry
      copy.name = Array("Contents/zeros\(number)".utf8)
      return copy
    }
    let bytes = archive.bytes()
    try HostilePackage("9 times 2^40", .sizeOverLimit) { bytes }.checkRefusal()
  }

  @Test func `data that decodes to more than the limit is refused, although less is declared`() throws {
    // 3 MB compressed to 11 KB and declared as 1 MB: only the declared size is decoded.
    try HostilePackage("a bomb", .archiveSizeMismatch) {
      $0.add(.zeros("Contents/zeros", count: 3_000_000))
      $0["Contents/zeros"].size = 1_000_000
    }.checkRefusal(limits: Limits(bytes: 2_000_000))
  }

  @Test func `paths that imply far more folders than entries are refused as a whole`() throws {
    let folders = String(repeating: "d/", count: 61)
    let count = Limits.maximumSurplusFolderCount / 61
    func names(_ count: Int) -> [String] { (0..<count).map { "Contents/\($0)/\(folders)f" } }
    let accepted = try Bench(LargeArchive.bytes(names(count)))
    #expect(try accepted.validate() == [])
    let bytes = LargeArchive.bytes(names(count + 10))
    try HostilePackage("folders", .pathTooLong) { bytes }.checkRefusal()
    let refused = try Bench(bytes)
    #expect(try refused.validate().map(\.path) == [nil])
    #expect(throws: UnsoundArchive.self) { try PackageSummary(of: refused.package) }
  }

  @Test func `names with far too many bytes for their number are refused as a whole`() throws {
    let folders = String(repeating: String(repeating: "d", count: 199) + "/", count: 300)
    let bytes = LargeArchive.bytes((0..<110).map { "Contents/\(folders)\($0)" })
    try HostilePackage("names", .pathTooLong) { bytes }.checkRefusal()
  }

  @Test func `link targets with far too many bytes for their number are refused as a whole`() throws {
    let package = HostilePackage("targets", .pathTooLong) {
      for number in 0..<7_000 {
        $0.add(.link("Contents/\(number)", to: String(repeating: "x/", count: 510) + "x"))
      }
    }
    try package.checkRefusal()
  }

  @Test func `more entries than the limit are refused`() throws {
    let count = ZipStructure.maximumEntryCount
    let bytes = LargeArchive.bytes(repeatElement("Contents/a", count: count))
    let structure = try ZipStructure.read(from: MemoryBytes(bytes))
    #expect(structure.findings.map(\.kind) == [.entryCount])
    #expect(structure.entries.isEmpty && !structure.hasAllEntries)
  }

  @Test func `the targets of links count as well`() throws {
    let manifest = ForgedArchive.manifest("com.example.book", "1.0").utf8.count
    let files = Int64(manifest + "a cover".utf8.count + "page one".utf8.count + 100_000)
    let target = "pages/one.txt"
    let package = HostilePackage("links", .sizeOverLimit) {
      $0.add(.zeros("Contents/zeros", count: 100_000))
      for number in 0..<10 { $0.add(.link("Contents/link\(number)", to: target)) }
    }
    try package.checkRefusal(limits: Limits(bytes: files + 10 * Int64(target.utf8.count) - 1))
  }

  @Test func `a lower limit applies to the archive and to the content`() throws {
    try HostilePackage("content", .sizeOverLimit) { $0.add(.zeros("Contents/zeros", count: 5000)) }
      .checkRefusal(limits: Limits(bytes: 5000))
    try HostilePackage("archive and content", .sizeOverLimit, .sizeOverLimit) { _ in }
      .checkRefusal(limits: Limits(bytes: 100))
  }
}
