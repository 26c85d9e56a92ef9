import ContentPackage
import Crypto
import PackageForge
import Testing
import ZipArchive

@testable import Conversion

/// Valid and malicious installer packages.
struct InstallerPackageTests {
  @Test func `the content of a payload is that of a content folder`() throws {
    let installer = ForgedInstaller(.book(adding: .link("./Contents/two.txt", to: "one.txt")))
    let content = try Importing.open(installer.bytes())
    let paths = content.source.items.map(\.path.escaped)
    #expect(
      paths == ["ContentInfo.plist", "Contents", "Contents/one.txt", "Contents/two.txt"])
    #expect(try Importing.text(content, "Contents/one.txt") == "page one")
    #expect(content.dropped == ["Book.pkg/PackageInfo"])
    #expect(content.changes == [])
    let review = try Importing.review(installer)
    #expect(review.findings == [])
    #expect(review.contentInfo?.packageName == "com.example.book-1.0.pkg")
  }

  @Test func `entries may come in any order`() throws {
    var payload = ForgedPayload.book()
    payload.entries.reverse()
    #expect(try Importing.errors(payload) == [])
  }

  @Test func `a signature is left out`() throws {
    var installer = ForgedInstaller(.book())
    installer.more = "<signature style=\"RSA\"><offset>20</offset><size>256</size></signature>"
    #expect(try Importing.open(installer.bytes()).dropped.last == "the signature")
  }

  @Test func `a payload with another name is read too`() throws {
    var installer = ForgedInstaller(.book())
    installer.files[1].name = "LargeSegmentedPayload"
    #expect(try Importing.refusal(installer) == nil)
  }

  @Test func `a payload that xar has compressed is read`() throws {
    var installer = ForgedInstaller(.book())
    let payload = ForgedPayload.book().bytes()
    installer.files[1].bytes = ForgedInstaller.zlib(payload)
    installer.files[1].decodedSize = payload.count
    installer.files[1].encoding = "application/x-gzip"
    #expect(try Importing.refusal(installer) == nil)
    installer.files[1].decodedSize = payload.count - 1
    #expect(try Importing.refusal(installer) != nil)
    installer.files[1].decodedSize = payload.count + 1
    #expect(try Importing.refusal(installer) != nil)
    installer.files[1].encoding = "application/x-rot13"
    #expect(try Importing.refusal(installer)?.contains("unknown encoding") == true)
  }

  @Test func `a payload compressed by xar is refused with a wrong checksum, trailing bytes or a missing end`()
    throws
  {
    var installer = ForgedInstaller(.book())
    let payload = ForgedPayload.book().bytes()
    installer.files[1].decodedSize = payload.count
    installer.files[1].encoding = "application/x-gzip"
    let right = ForgedInstaller.zlib(payload)
    var wrong = right
    wrong[wrong.count - 1] ^= 1
    installer.files[1].bytes = wrong
    #expect(try Importing.refusal(installer)?.contains("incorrect data check") == true)
    installer.files[1].bytes = right + [0]
    #expect(try Importing.refusal(installer)?.contains("continue after their end") == true)
    installer.files[1].bytes = right.dropLast()
    #expect(try Importing.refusal(installer)?.contains("end too early") == true)
  }

  @Test func `a gzip payload must have the checksum and the size that it declares`() throws {
    let payload = ForgedPayload.book().bytes()
    func refusal(_ bytes: [UInt8]) throws -> String? {
      try Importing.refusal(ForgedInstaller([.init("Payload", bytes)]))
    }
    let right = ForgedInstaller.gzip(payload)
    #expect(try refusal(right) == nil)
    #expect(
      try refusal(ForgedInstaller.gzip(payload, checksumOff: 1))?.contains("incorrect data check") == true)
    #expect(
      try refusal(ForgedInstaller.gzip(payload, sizeOff: 1))?.contains("incorrect length check") == true)
    #expect(try refusal(right.dropLast())?.contains("end too early") == true)
    var damaged = right
    damaged[right.count / 2] ^= 1
    #expect(try refusal(damaged) != nil)
    let half = payload.count / 2
    let members =
      ForgedInstaller.gzip(Array(payload[..<half])) + ForgedInstaller.gzip(Array(payload[half...]))
    #expect(try refusal(members) == nil)
    #expect(try refusal(right + [0, 0]) == nil)
  }

  @Test func `the pbzx blocks of Apple's newer tools are read`() throws {
    let payload = ForgedPayload.book().bytes()
    func number(_ value: Int) -> [UInt8] { ForgedInstaller.number(UInt64(value), 8) }
    let half = payload.count / 2
    let blocks = [payload[..<half], payload[half...]].flatMap { number($0.count) + number($0.count) + $0 }
    let whole = Array("pbzx".utf8) + number(1 << 24) + blocks
    func refusal(_ bytes: [UInt8]) throws -> String? {
      try Importing.refusal(ForgedInstaller([.init("Payload", bytes)]))
    }
    #expect(try refusal(whole) == nil)
    #expect(try refusal(whole.dropLast()) != nil)
    #expect(try refusal(Array(whole.prefix(10))) != nil)
    #expect(try refusal(Array("pbze".utf8) + whole.dropFirst(4))?.contains("pbze") == true)
    let large = Array("pbzx".utf8) + number(1 << 24) + number(1 << 40) + number(1 << 40)
    #expect(try refusal(large)?.contains("expected at most") == true)
    let notXZ = Array("pbzx".utf8) + number(1 << 24) + number(200) + number(100) + payload
    #expect(try refusal(notXZ) != nil)
  }

  @Test func `the checksum of the payload must be right`() throws {
    var installer = ForgedInstaller(.book())
    let zeros = String(repeating: "0", count: 40)
    installer.files[1].checksum = "<archived-checksum style=\"sha1\">\(zeros)</archived-checksum>"
    #expect(try Importing.refusal(installer)?.contains("checksum") == true)
    installer.files[1].checksum = "<archived-checksum style=\"sha1\">00</archived-checksum>"
    #expect(try Importing.refusal(installer)?.contains("invalid checksum") == true)
    installer.files[1].checksum = "<archived-checksum style=\"none\"/>"
    #expect(try Importing.refusal(installer) == nil)
  }

  @Test(arguments: [false, true])
  func `the checksum of the decoded payload must be right`(_ isEncoded: Bool) throws {
    var installer = ForgedInstaller(.book())
    let payload = installer.files[1].bytes
    if isEncoded {
      installer.files[1].bytes = ForgedInstaller.zlib(payload)
      installer.files[1].decodedSize = payload.count
      installer.files[1].encoding = "application/x-gzip"
    }
    func declare(_ digest: some Sequence<UInt8>) {
      let text = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      installer.files[1].checksum = "<extracted-checksum style=\"sha1\">\(text)</extracted-checksum>"
    }
    declare(Insecure.SHA1.hash(data: payload))
    #expect(try Importing.refusal(installer) == nil)
    declare(Insecure.SHA1.hash(data: payload + [0]))
    #expect(try Importing.refusal(installer)?.contains("decoded payload does not have the checksum") == true)
  }

  @Test func `the checksum of the table of contents must be right`() throws {
    var installer = ForgedInstaller(.book())
    installer.tableChecksum = { Array(Insecure.SHA1.hash(data: $0)) }
    #expect(try Importing.refusal(installer) == nil)
    installer.tableChecksum = { Array(Insecure.SHA1.hash(data: $0 + [0])) }
    let refusal = try Importing.refusal(installer)
    #expect(refusal?.contains("table of contents does not have the checksum") == true)
  }

  @Test func `none or several payloads are refused`() throws {
    var installer = ForgedInstaller(.book())
    installer.files.append(installer.files[1])
    #expect(try Importing.refusal(installer)?.hasPrefix("it has 2 payloads") == true)
    installer.files.removeLast(2)
    #expect(try Importing.refusal(installer)?.hasPrefix("it has no file Payload") == true)
  }

  @Test(arguments: [-1, 1 << 40, Int.max]) func `data beyond the end of the file is refused`(_ offset: Int)
    throws
  {
    var installer = ForgedInstaller(.book())
    installer.files[1].declaredOffset = offset
    #expect(try Importing.refusal(installer)?.hasPrefix("its table of contents") == true)
    installer.files[1].declaredOffset = nil
    installer.files[1].declaredLength = offset
    #expect(try Importing.refusal(installer)?.hasPrefix("its table of contents") == true)
  }

  @Test func `a table of contents with a wrong declared size is refused`() throws {
    var installer = ForgedInstaller(.book())
    for sizes: (UInt64, UInt64) in [(10, 10), (0, 0), (3 << 30, 3 << 30), (100, 3 << 30), (.max, .max)] {
      installer.declaredTableBytes = sizes
      #expect(try Importing.refusal(installer)?.hasPrefix("its table of contents") == true, "\(sizes)")
    }
    installer.declaredTableBytes = nil
    installer.version = 2
    #expect(try Importing.refusal(installer)?.contains("version 2") == true)
    #expect(try Importing.refusal(Array("xar!".utf8))?.contains("truncated") == true)
  }

  @Test func `a payload above the size limit is refused before it is decoded`() throws {
    var installer = ForgedInstaller(.book())
    installer.files[1].decodedSize = 5 << 30
    #expect(try Importing.refusal(installer)?.contains("its payload declares") == true)
    var payload = ForgedPayload.book()
    payload.entries[3].declaredSize = 3 << 30
    #expect(try Importing.errors(payload).contains("size/over-limit "))
  }

  @Test(arguments: [
    "<!DOCTYPE xar [<!ENTITY a \"b\">]>", "<!DOCTYPE xar SYSTEM \"file:///etc/passwd\">",
    "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
  ]) func `a document type in the table of contents is refused`(_ text: String) throws {
    var installer = ForgedInstaller(.book())
    installer.prolog += text
    #expect(try Importing.refusal(installer)?.hasPrefix("its table of contents cannot be read") == true)
  }

  @Test func `an invalid table of contents is refused`() throws {
    var installer = ForgedInstaller(.book())
    let deep = String(repeating: "<file>", count: 500) + String(repeating: "</file>", count: 500)
    for table in [
      "<xar><toc>&a;</toc></xar>", "<xar><toc><file><name>&#0;</name></file></toc></xar>", "<xar/>", "",
      "<toc/>", "<xar><toc>\(deep)</toc></xar>", "<xar><toc><file/></toc></xar>", "not XML",
      "<a:xar xmlns:a='b'><toc/></a:xar>", "<xar><toc><file><name>Payload</name><data/></file></toc></xar>",
    ] {
      installer.table = table
      #expect(try Importing.refusal(installer) != nil, "\(table.prefix(60))")
    }
  }
}
