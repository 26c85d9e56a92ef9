import ContentPackage
import PackageForge
import Testing
import ZipArchive

@testable import Conversion

/// The permitted and the rejected entries of a payload.
struct PayloadTests {
  @Test(arguments: [
    (ForgedPayload.Entry.file("../out.txt", "x"), "path/traversal ../out.txt"),
    (.file("./Contents/../../out.txt", "x"), "path/traversal Contents/../../out.txt"),
    (.file("/etc/passwd", "x"), "path/absolute /etc/passwd"),
    (.link("./Contents/out", to: "../../out"), "link/escapes Contents/out"),
    (.link("./Contents/out", to: "/etc/passwd"), "link/absolute Contents/out"),
    (.init("./Contents/null", mode: 0o020666), "file/special Contents/null"),
    (.init("./Contents/disk", mode: 0o060666), "file/special Contents/disk"),
    (.init("./Contents/fifo", mode: 0o010666), "file/special Contents/fifo"),
    (.init("./Contents/what", mode: 0o000644), "file/special Contents/what"),
    (.file("./Contents/one.txt", "x"), "path/duplicate Contents/one.txt"),
    (.file("./Contents/ONE.txt", "x"), "path/collision Contents/one.txt"),
    (.file("./Contents/one.txt/two", "x"), "path/file-and-folder Contents/one.txt"),
    (.file("./Contents/run", "\0asm\u{1}\0\0\0"), "file/executable-code Contents/run"),
    (.file("./stranger", "x"), "package/root-item stranger"),
    (.file("./Contents/a\u{7}b", "x"), "path/characters Contents/a\\u{0007}b"),
  ]) func `the rules apply to the entries of a payload`(_ entry: ForgedPayload.Entry, _ expected: String)
    throws
  {
    #expect(try Importing.errors(.book(adding: entry)).contains(expected))
  }

  @Test func `a hard link has the data of its file, or is refused`() throws {
    var first = ForgedPayload.Entry.file("./Contents/a.txt", "text")
    var second = ForgedPayload.Entry.file("./Contents/b.txt", "text")
    (first.links, first.inode, second.links, second.inode) = (2, 7, 2, 7)
    #expect(try Importing.errors(.book(adding: first, second)) == [])
    second.data = []
    #expect(try Importing.errors(.book(adding: first, second)) == ["file/special Contents/b.txt"])
  }

  @Test func `a damaged payload is refused`() throws {
    var payload = ForgedPayload.book()
    payload.hasTrailer = false
    #expect(try Importing.refusal(payload)?.hasPrefix("its payload ends in the middle") == true)
    payload.hasTrailer = true
    payload.end = Array("more".utf8)
    #expect(try Importing.refusal(payload)?.contains("continues after its last entry") == true)
    payload.end = [UInt8](repeating: 0, count: 5000)
    #expect(try Importing.refusal(payload) == nil)
    payload.end = [UInt8](repeating: 0, count: 3 << 20)
    #expect(try Importing.refusal(payload)?.contains("continues after its last entry") == true)
    payload.end = []
    payload.entries[3].declaredSize = 9
    #expect(try Importing.refusal(payload)?.contains("does not begin with 070707") == true)
    payload.entries[3].declaredSize = nil
    payload.entries[3].magic = "070703"
    #expect(try Importing.refusal(payload)?.contains("not a cpio archive, or is damaged") == true)
    payload.entries[3].magic = "\0\0\0\0\0\0"
    #expect(try Importing.refusal(payload) != nil)
    payload.entries[3].magic = "070707"
    payload.entries[3].mode = -1
    #expect(try Importing.refusal(payload) != nil)
  }

  @Test(arguments: ["070701", "070702"])
  func `the newer formats of cpio are read too`(_ magic: String) throws {
    let payload = ForgedPayload.book(
      adding: .file("./Contents/a", "12345"), .file("./Contents/ab", ""),
      .link("./Contents/link", to: "one.txt")
    ).with(magic: magic)
    let content = try Importing.open(ForgedInstaller(payload).bytes())
    #expect(try Importing.text(content, "Contents/a") == "12345")
    #expect(try Importing.text(content, "Contents/one.txt") == "page one")
    #expect(try Importing.errors(payload) == [])
    var spoiled = payload
    spoiled.entries[4].declaredSum = 7
    let refusal = try Importing.refusal(spoiled)
    #expect(magic == "070701" ? refusal == nil : refusal?.contains("the checksum of its header") == true)
    spoiled = payload
    spoiled.entries[4].declaredSize = 9
    #expect(try Importing.refusal(spoiled) != nil)
    spoiled.hasTrailer = false
    #expect(try Importing.refusal(spoiled) != nil)
  }

  @Test func `a hard link whose data follows a later name is refused`() throws {
    var first = ForgedPayload.Entry.file("./Contents/a.txt", "")
    var second = ForgedPayload.Entry.file("./Contents/b.txt", "text")
    (first.links, first.inode, second.links, second.inode) = (2, 7, 2, 7)
    let payload = ForgedPayload.book(adding: first, second).with(magic: "070701")
    #expect(try Importing.errors(payload) == ["file/special Contents/a.txt"])
  }

  @Test(arguments: [(24, true), (30, true), (31, false), (40, false), (41, false)])
  func `a dictionary above the memory limit is refused before it is allocated`(
    _ code: UInt8, _ isAllowed: Bool
  ) throws {
    let head: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 1, 0, 0, 0, 0]
    let block: [UInt8] = [2, 0, 0x21, 1, code, 0, 0, 0, 0, 0, 0, 0]
    var structure = XzStructure()
    // An uncompressed chunk, the end of the chunks, padding, the check, and another block.
    try structure.follow(
      ArraySlice(head + [2, 0, 0x21, 1, 10, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 2, 9, 9, 9, 0, 0] + [0, 0, 0, 0]))
    if isAllowed {
      for byte in block { try structure.follow([byte]) }
    } else {
      #expect(throws: StreamError.self) { for byte in block { try structure.follow([byte]) } }
    }
    var installer = ForgedInstaller(.book())
    installer.files[1].bytes = head + block
    let refusal = try Importing.refusal(installer)
    #expect(
      refusal?.contains(isAllowed ? "cannot be decoded" : code < 41 ? "a dictionary of" : "unsupported")
        == true
    )
    installer.files[1].bytes = [0x5D, 0, 0, 0, code < 31 ? 1 : 0x10] + [UInt8](repeating: 0, count: 20)
    installer.files[1].encoding = "application/x-lzma"
    #expect(try Importing.refusal(installer)?.contains("a dictionary of") == (code >= 31))
  }

  @Test func `a name that is too long is refused`() throws {
    let name = "./Contents/" + String(repeating: "a", count: 5000)
    #expect(try Importing.refusal(.book(adding: .file(name, "x")))?.contains("a name of 5012 bytes") == true)
    let file = "./Contents/" + String(repeating: "a", count: 300)
    #expect(try Importing.errors(.book(adding: .file(file, "x"))).first?.hasPrefix("path/too-long") == true)
  }

  @Test func `content above the size limit is refused`() throws {
    let limits = Limits(bytes: 1000)
    let large = ForgedPayload.Entry("./Contents/large", mode: 0o100644, [UInt8](repeating: 1, count: 2000))
    #expect(try Importing.errors(.book(adding: large), limits).contains("size/over-limit "))
  }

  @Test func `modes and junk are normalized`() throws {
    let payload = ForgedPayload.book(
      adding: .file("./Contents/x", "x", permissions: 0o755), .file("./Contents/.DS_Store", "x"))
    let review = try Importing.review(ForgedInstaller(payload))
    #expect(review.findings.map(\.rule.rawValue) == ["file/junk", "file/executable-permission"])
    #expect(review.findings.allSatisfy { $0.severity == .note })
  }
}
