import ContentPackage
import PackageForge
import SafeFiles
import StrictJSON
import Support
import Testing
import ZipArchive

@testable import Delivery

/// The head and the pages of an index, also hostile ones.
@Suite struct IndexTests {
  private static let entry = IndexEntry(
    path: EntryPath("Contents/é \"a\""), kind: .file, mode: 0o640, size: 5, digest: SHA256Digest(of: []),
    method: .deflated, offset: 50, packedSize: 3, crc32: .max)
  private static let entries = [
    entry,
    IndexEntry(
      path: EntryPath("Contents/folder"), kind: .folder, mode: nil, size: 0, digest: nil, method: .stored,
      offset: 160, packedSize: 0, crc32: 0),
    IndexEntry(
      path: EntryPath("Contents/link"), kind: .link, mode: 0o777, size: 4, digest: SHA256Digest(of: [1]),
      method: .stored, offset: 240, packedSize: 4, crc32: 7),
    link(to: "é\n/..", at: 400),
  ]

  private static func link(to target: String, at offset: Int64, like other: String? = nil) -> IndexEntry {
    let target = Array(target.utf8)
    return IndexEntry(
      path: EntryPath("Contents/other"), kind: .link, mode: nil, size: Int64(target.count),
      digest: SHA256Digest(of: other.map { Array($0.utf8) } ?? target), method: .stored, offset: offset,
      packedSize: Int64(target.count), crc32: 0, target: target)
  }

  private static func file(_ number: Int, at offset: Int64, _ content: String = "") -> IndexEntry {
    IndexEntry(
      path: EntryPath("Contents/\(number)"), kind: .file, mode: 0o644, size: 1_000,
      digest: SHA256Digest(of: Array("\(number) \(content)".utf8)), method: .stored, offset: offset,
      packedSize: 1_000, crc32: .max)
  }

  private static func files(_ numbers: some Sequence<Int>, content: (Int) -> String = { _ in "" })
    -> [IndexEntry]
  {
    numbers.enumerated().map { file($1, at: Int64($0) * 2_000, content($1)) }
  }

  private static func read(
    _ index: PagedIndex, packageBytes: Int64 = Limits.maximumBytes
  ) throws(DocumentError) -> [IndexEntry] {
    var entries: [IndexEntry] = []
    try index.read(packageBytes: packageBytes) { entries.append($0) }
    return entries
  }

  /// Returns an index with one page of this text.
  private static func index(
    ofPage text: String, entryCount: UInt32 = 1, offset: UInt64 = 0, size: UInt32? = nil
  ) throws -> PagedIndex {
    let bytes = Array(text.utf8)
    let packed = Deflate.packed(bytes)
    let page = IndexPage(
      digest: SHA256Digest(of: packed), packedSize: UInt32(packed.count), size: size ?? UInt32(bytes.count),
      entryCount: entryCount, offset: offset)
    return PagedIndex(head: IndexHead(manifest: [], pages: [page]), pages: MemoryBytes(packed))
  }

  @Test func `an index is written and read back`() throws {
    let index = try PagedIndex(of: Self.entries, manifest: [0, 1, 0xFF])
    #expect(try Self.read(index, packageBytes: 406) == Self.entries)
    let head = try IndexHead(
      bytes: MemoryBytes(index.head.bytes), packageBytes: 406, pageBytes: index.pages.byteCount)
    #expect(head == index.head && head.manifest == [0, 1, 0xFF])
  }

  @Test func `an index of many pages is written and read back`() throws {
    let entries = (0..<5_000).map { number in
      let path = String(repeating: "\"é\\", count: number % 50) + "\(number)"
      return IndexEntry(
        path: EntryPath("Contents/\(path)"), kind: .file, mode: 0o644, size: Int64(number),
        digest: SHA256Digest(of: []), method: .stored, offset: Int64(number) * 10_000,
        packedSize: Int64(number), crc32: .max)
    }
    let index = try PagedIndex(of: entries, manifest: [])
    #expect((200...500).contains(index.head.pages.count))
    #expect(try Self.read(index) == entries)
  }

  @Test func `a page is the same wherever its entries are in the package`() throws {
    let before = try PagedIndex(of: Self.files(0..<2_000), manifest: []).head.pages
    let known = Set(before.map(\.digest))
    func newPages(_ entries: [IndexEntry]) throws -> Int {
      try PagedIndex(of: entries, manifest: []).head.pages.count { !known.contains($0.digest) }
    }
    #expect(try newPages(Self.files(0..<2_000) { $0 == 700 ? "new" : "" }) == 1)
    // A removed and an added entry change their page, and a few until the boundaries are the same again.
    #expect(try newPages(Self.files((0..<2_000).filter { $0 != 700 })) < 8)
    #expect(try newPages(Self.files(Array(0..<700) + [9_999] + Array(700..<2_000))) < 8)
  }

  @Test func `the size of a head depends on the number of pages only`() throws {
    let pages = (0..<10).map {
      IndexPage(digest: SHA256Digest(of: [$0]), packedSize: 1 << $0, size: 1, entryCount: 1, offset: 0)
    }
    let same = pages.map {
      IndexPage(digest: .none, packedSize: 7, size: .max, entryCount: .max, offset: $0.offset)
    }
    let sizes = [pages, same].map { IndexHead(manifest: [], pages: $0).bytes.count }
    #expect(sizes[0] == sizes[1])
  }

  @Test func `only the missing pages are counted, and adjacent ones are one request`() throws {
    let head = try PagedIndex(of: Self.files(0..<2_000), manifest: []).head
    #expect(head.transferBytes { _ in true } == Int64(head.bytes.count))
    let all = head.pages.reduce(0) { $0 + Int64($1.packedSize) }
    #expect(head.transferBytes { _ in false } == Int64(head.bytes.count) + all)
    #expect(head.plan(of: [3, 40]).runs.count == 2)
    #expect(head.plan(of: [3, 4, 40]).runs.count == 2)
  }

  @Test(arguments: [
    ("an empty page", "a page is empty"), ("a page without entries", "a page is empty"),
    ("a page of gigabytes", "a page has 4294967295 bytes, expected at most 4194304"),
    ("a million entries", "there are more than 300000 entries"),
    ("too many pages", "expected at most 268435456"), ("another size", "bytes, expected 10"),
    ("pages in another order", "begin at 4"), ("an offset behind the package", "begin at 1001"),
    ("a huge offset", "begin at 9223372036854775808"),
  ])
  func `a head with an invalid page record is refused`(_ defect: String, _ message: String) {
    func page(
      _ packedSize: UInt32 = 10, size: UInt32 = 10, entries: UInt32 = 1, offset: UInt64 = 5
    ) -> IndexPage {
      IndexPage(
        digest: SHA256Digest(of: []), packedSize: packedSize, size: size, entryCount: entries, offset: offset)
    }
    let pages =
      switch defect {
      case "an empty page": [page(0), page()]
      case "a page without entries": [page(entries: 0)]
      case "a page of gigabytes": [page(size: .max)]
      case "a million entries": [page(entries: 1_000_000)]
      case "too many pages": Array(repeating: page(size: 4 << 20), count: 65)
      case "another size": [page(), page()]
      case "pages in another order": [page(5), page(5, offset: 4)]
      case "an offset behind the package": [page(offset: 1_001)]
      default: [page(offset: 1 << 63)]
      }
    let error = #expect(throws: DocumentError.self) {
      try IndexHead(
        bytes: MemoryBytes(IndexHead(manifest: [], pages: pages).bytes), packageBytes: 1_000, pageBytes: 10)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("iapkg-index-2", "iapkg-index-3"), ("\"manifest\"", "\"other\""), ("\"AAH/\"", "\"AAH\""),
    ("\"pages\":\"", "\"pages\":\"AAAA"), ("\"pages\"", "\"other\""), ("\"format\"", "\"other\""),
    ("{", "{\"pages\":\"\","),
  ])
  func `a head of another format is refused`(_ old: String, _ new: String) throws {
    let index = try PagedIndex(of: Self.entries, manifest: [0, 1, 0xFF])
    let text = String(decoding: index.head.bytes, as: UTF8.self)
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    #expect(changed != text, "the test changes nothing")
    #expect(throws: DocumentError.self) {
      try IndexHead(
        bytes: MemoryBytes(Array(changed.utf8)), packageBytes: 1_000, pageBytes: index.pages.byteCount)
    }
  }

  private static let digits = SHA256Digest(of: []).hexadecimal

  @Test(arguments: [
    ("{\"path\":\"a\"}", "has no sha256"), ("{\"sha256\":\"\(digits)\"}", "lacks its path"),
    ("{\"path\":\"a\",\"kind\":\"device\"}", "'device' is not a kind of entry"),
    ("{\"path\":\"a\",\"kind\":\"folder\",\"sha256\":\"\(digits)\"}", "has a sha256"),
    ("{\"path\":\"a\",\"kind\":\"folder\",\"size\":1}", "a folder has data"),
    ("{\"path\":\"a\",\"mode\":4096,\"sha256\":\"\(digits)\"}", "0 to 4095"),
    ("{\"path\":\"a\",\"size\":-1,\"sha256\":\"\(digits)\"}", "out of range"),
    ("{\"path\":\"a\",\"size\":9223372036854775808,\"sha256\":\"\(digits)\"}", "at byte"),
    ("{\"path\":\"a\",\"size\":2147483649,\"sha256\":\"\(digits)\"}", "2147483648"),
    ("{\"path\":\"a\",\"packedSize\":2147483649,\"sha256\":\"\(digits)\"}", "2147483648"),
    ("{\"path\":\"a\",\"size\":1001,\"sha256\":\"\(digits)\"}", "ends after the 1000 bytes"),
    ("{\"path\":\"a\",\"crc32\":4294967296,\"sha256\":\"\(digits)\"}", "4294967295"),
    ("{\"path\":\"a\",\"sha256\":\"\(digits)\",\"sha256\":\"\(digits)\"}", "twice"),
    ("{\"path\":\"a\",\"size\":1,\"target\":\"b\",\"sha256\":\"\(digits)\"}", "a target does not match"),
    (
      "{\"path\":\"a\",\"sha256\":\"\(digits)\"},{\"path\":\"b\",\"gap\":-1,\"sha256\":\"\(digits)\"}",
      "out of range"
    ),
    (
      "{\"path\":\"a\",\"sha256\":\"\(digits)\"},{\"path\":\"b\",\"gap\":2147483648,\"sha256\":\"\(digits)\"}",
      "ends after the 1000 bytes"
    ),
    ("{\"path\":\"a\",\"sha256\":\"\(digits)\"},{\"path\":\"b\",\"sha256\":\"\(digits)\"}", "page 0 has 2"),
    ("", "page 0 has 0 entries, expected 1"), ("[", "at byte"), ("{}] [", "lacks its path"),
  ])
  func `a page with an invalid entry is refused`(_ text: String, _ message: String) throws {
    let index = try Self.index(ofPage: "[\(text)]")
    let error = #expect(throws: DocumentError.self) { try Self.read(index, packageBytes: 1_000) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `pages that overlap are refused`() throws {
    let entry = Self.file(1, at: 100)
    let index = try PagedIndex(of: [entry], manifest: [])
    let page = try #require(index.head.pages.first)
    let packed = try index.pages.bytes(at: 0, count: Int(index.pages.byteCount))
    // The same page twice: its entry has the same bytes again.
    let twice = PagedIndex(
      head: IndexHead(manifest: [], pages: [page, page]), pages: MemoryBytes(packed + packed))
    let error = #expect(throws: DocumentError.self) { try Self.read(twice) }
    #expect(error?.message.contains("begins at 100, before the end of the preceding one") == true)
  }

  @Test func `a page is verified before it is parsed`() throws {
    let index = try PagedIndex(of: Self.entries, manifest: [])
    var packed = try index.pages.bytes(at: 0, count: Int(index.pages.byteCount))
    packed[packed.count / 2] ^= 1
    let damaged = PagedIndex(head: index.head, pages: MemoryBytes(packed))
    let error = #expect(throws: DocumentError.self) { try Self.read(damaged) }
    #expect(error?.message == "the SHA-256 of page 0 differs")
    let cut = PagedIndex(head: index.head, pages: MemoryBytes(packed.dropLast()))
    #expect(throws: DocumentError.self) { try Self.read(cut) }
  }

  @Test func `a page that inflates to more or less than its size is refused`() throws {
    for size in [0, 10, 10_000] as [UInt32] {
      let index = try Self.index(ofPage: "[" + String(repeating: " ", count: 1_000_000) + "]", size: size)
      let error = #expect(throws: DocumentError.self) { try Self.read(index) }
      #expect(error?.message == "page 0 is not deflated data of \(size) bytes")
    }
  }

  @Test func `an index has at most 6 MiB of link targets`() throws {
    let target = String(repeating: "t", count: 1_000)
    let entries = (0...6_300).map { Self.link(to: target, at: Int64($0) * 2_000) }
    let read = try Self.read(PagedIndex(of: entries, manifest: []))
    #expect(read.first?.target?.count == 1_000 && read.last?.target == nil)
    #expect(read.prefix { $0.target != nil }.count == (6 << 20) / 1_000)
    let other = try PagedIndex(of: [Self.link(to: "abc", at: 0, like: "abd")], manifest: [])
    #expect(throws: DocumentError.self) { try Self.read(other) }
  }

  @Test func `kept pages are used only if they are intact`() throws {
    let index = try PagedIndex(of: Self.files(0..<100), manifest: [1])
    let file = try KeptIndex.parts(of: index).flatMap { try $0.bytes(at: 0, count: Int($0.byteCount)) }
    func known(_ bytes: [UInt8]) -> Int {
      let kept = KeptIndex(MemoryBytes(bytes))
      return index.head.pages.count { kept.bytes(of: $0) != nil }
    }
    #expect(known(file) == index.head.pages.count)
    var damaged = file
    damaged[file.count - 1] ^= 1
    #expect(known(damaged) == index.head.pages.count - 1)
    damaged[20] ^= 1
    for bytes in [[], damaged, Array(file.prefix(7)), file + [0], [UInt8](repeating: 0xFF, count: 100)] {
      #expect(known(bytes) == 0)
    }
  }
}
