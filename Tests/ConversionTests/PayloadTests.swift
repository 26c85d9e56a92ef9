import ContentPackage
import PackageForge
import Testing

@testable import Conversion

/// What a payload may hold.
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
  ]) func `every rule applies to what is in a payload`(_ entry: ForgedPayload.Entry, _ expected: String)
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

  @Test func `a payload that is not as it should be is refused`() throws {
    var payload = ForgedPayload.book()
    payload.hasTrailer = false
    #expect(try Importing.refusal(payload)?.hasPrefix("its payload ends in the middle") == true)
    payload.hasTrailer = true
    payload.end = Array("more".utf8)
    #expect(try Importing.refusal(payload)?.contains("goes on behind its last entry") == true)
    payload.end = [UInt8](repeating: 0, count: 5000)
    #expect(try Importing.refusal(payload) == nil)
    payload.end = [UInt8](repeating: 0, count: 3 << 20)
    #expect(try Importing.refusal(payload)?.contains("goes on behind its last entry") == true)
    payload.end = []
    payload.entries[3].declaredSize = 9
    #expect(try Importing.refusal(payload)?.contains("does not begin with 070707") == true)
    payload.entries[3].declaredSize = nil
    payload.entries[3].magic = "070701"
    #expect(try Importing.refusal(payload)?.contains("newer form") == true)
    payload.entries[3].magic = "\0\0\0\0\0\0"
    #expect(try Importing.refusal(payload) != nil)
    payload.entries[3].magic = "070707"
    payload.entries[3].mode = -1
    #expect(try Importing.refusal(payload) != nil)
  }

  @Test func `a name that is too long is refused`() throws {
    let name = "./Contents/" + String(repeating: "a", count: 5000)
    #expect(try Importing.refusal(.book(adding: .file(name, "x")))?.contains("a name of 5012 bytes") == true)
    let file = "./Contents/" + String(repeating: "a", count: 300)
    #expect(try Importing.errors(.book(adding: .file(file, "x"))).first?.hasPrefix("path/too-long") == true)
  }

  @Test func `what exceeds the limit is not unpacked`() throws {
    let limits = Limits(bytes: 1000)
    let large = ForgedPayload.Entry("./Contents/large", mode: 0o100644, [UInt8](repeating: 1, count: 2000))
    #expect(try Importing.errors(.book(adding: large), limits).contains("size/over-limit "))
  }

  @Test func `modes and junk are normalised`() throws {
    let payload = ForgedPayload.book(
      adding: .file("./Contents/x", "x", permissions: 0o755), .file("./Contents/.DS_Store", "x"))
    let review = try Importing.review(ForgedInstaller(payload))
    #expect(review.findings.map(\.rule.rawValue) == ["file/junk", "file/executable-permission"])
    #expect(review.findings.allSatisfy { $0.severity == .note })
  }
}
