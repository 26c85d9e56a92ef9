import Foundation
import PackageForge
import TestSupport
import Testing

/// `bump` changes only the version string.
@Suite(.waiting) struct BumpTests {
  private static let rises: [(String, [String], String)] = [
    ("1.9", [], "1.10"), ("1.0", [], "1.1"), ("7", [], "8"), ("1.9.3", ["--major"], "2.0.0"),
    ("1.9.3", ["--minor"], "1.10.0"), ("1.9.3", ["--patch"], "1.9.4"), ("2.0", ["--patch"], "2.0.1"),
    ("3", ["--minor"], "3.1"), ("1.2.3.4", ["--minor"], "1.3.0.0"), ("1.01", [], "1.2"),
    ("1.0", ["--to", "5"], "5"),
    ("2.0", ["--to", "1.5", "--force"], "1.5"), ("1.0", ["--to", "1.0.0.1"], "1.0.0.1"),
  ]

  @Test(arguments: rises)
  func `the options choose the next version`(_ before: String, _ options: [String], _ after: String) throws {
    let work = try Workspace()
    try work.makeBook(version: before)
    let outcome = try work.iapkg(["bump", "Book"] + options).succeeds()
    #expect(outcome.output == "Book: com.example.book \(before) -> \(after)\n")
    #expect(try work.text("Book/ContentInfo.plist") == ForgedArchive.manifest("com.example.book", after))
  }

  @Test(arguments: ["1.0", "1", "0.9", "1.0.0"])
  func `a version that is not higher is refused`(_ version: String) throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg("bump", "Book", "--to", version).fails(
      1, saying: "is not higher than the current version 1.0", "--force")
    #expect(try work.snapshot() == before)
  }

  @Test func `each refused version of several inputs is reported with its input`() throws {
    let work = try Workspace()
    for folder in ["one", "two"] { try work.makeBook(folder) }
    let outcome = try work.iapkg("bump", "one", "two", "--to", "1.0", "--format=json").exits(
      1, saying: "one: version 1.0 is not higher", "two: version 1.0 is not higher")
    let results = try outcome.document()["results"]?.elements ?? []
    #expect(results.map { $0["error"]?["path"]?.text } == ["one", "two"])
  }

  @Test func `a package over the limit is refused`() throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    archive.add(.zeros("Contents/zeros", count: 1000))
    archive["Contents/zeros"].size = 0x8000_0001
    try work.write(archive, to: "Book.pkg")
    let before = try work.snapshot()
    for options in [[], ["--dry-run"], ["-o", "New.pkg"]] {
      try work.iapkg(["bump", "Book.pkg"] + options).fails(1, saying: "size/over-limit")
      #expect(try work.snapshot() == before)
    }
  }

  @Test func `a dry run fails if the output exists or cannot be created`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook()
    try work.write("older", to: "Old.pkg")
    for command in [["bump", "Book.pkg"], ["create", "Book"]] {
      try work.iapkg(command + ["-o", "Old.pkg", "--dry-run"]).fails(73, saying: "Old.pkg exists")
      try work.iapkg(command + ["-o", "no/such/x.pkg", "--dry-run"]).fails(73, saying: "no/such/x.pkg")
      try work.iapkg(command + ["-o", "Old.pkg", "--dry-run", "--force"]).succeeds()
    }
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["bump", "Book.pkg", "--to", "0.1", "-o", "New.pkg"] + options)
        .fails(1, saying: "is not higher than")
    }
  }

  @Test func `the largest integer cannot be raised`() throws {
    let work = try Workspace()
    try work.makeBook(version: "9223372036854775807")
    try work.iapkg("bump", "Book").fails(1, saying: "--to")
    try work.iapkg("bump", "Book", "--minor").succeeds()
  }

  /// Returns a manifest with comments, references and other keys, as people write them.
  private static func manifest(_ version: String, lineEnd: String = "\n") -> String {
    [
      "<?xml version='1.0'?>", "<!-- ours <string>1.9</string> -->", "<plist version=\"1.0\"><dict>",
      "\t<key>Folder</key>\t<string>1.9</string>", "  <key>ContentVersion</key>", "",
      "\t<!-- raise me --> <string>\(version)</string>   ",
      "\t<key>IAPProductIdentifier</key><string>com.example.b&#x6F;ok</string>",
      "\t<key>Files</key><array><string>ä &amp; b</string><true/></array>", "</dict></plist>", "<!-- end -->",
    ].joined(separator: lineEnd)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `only one line changes, for any line endings`(_ lineEnd: String) throws {
    let work = try Workspace()
    try work.write(Self.manifest("1.9", lineEnd: lineEnd), to: "ContentInfo.plist", permissions: 0o640)
    try work.iapkg("bump", "ContentInfo.plist").succeeds()
    #expect(try work.text("ContentInfo.plist") == Self.manifest("1.10", lineEnd: lineEnd))
    #expect(try work.names() == ["ContentInfo.plist"])
    #expect(try work.snapshot()["ContentInfo.plist"]?.hasPrefix("file 640 ") == true)
  }

  @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian])
  func `UTF-16 stays UTF-16`(_ encoding: String.Encoding) throws {
    let work = try Workspace()
    func encoded(_ version: String) -> [UInt8] {
      Array(("\u{FEFF}" + Self.manifest(version)).data(using: encoding) ?? Data())
    }
    try work.write(encoded("1.9"), to: "Info.plist")
    try work.iapkg("bump", "Info.plist").succeeds()
    #expect(try work.bytes("Info.plist") == encoded("1.10"))
  }

  @Test func `a binary property list stays binary`() throws {
    let work = try Workspace()
    let keys: [String: any Sendable] = [
      "ContentVersion": "1.9", "IAPProductIdentifier": "com.example.book", "Files": ["ä", "1.9"], "Count": 3,
    ]
    let binary = try PropertyListSerialization.data(fromPropertyList: keys, format: .binary, options: 0)
    try work.write([UInt8](binary), to: "Book/ContentInfo.plist")
    let outcome = try work.iapkg("bump", "Book").exits(0)
    #expect(outcome.output == "Book: com.example.book 1.9 -> 1.10\n")
    let bytes = try work.bytes("Book/ContentInfo.plist")
    #expect(bytes.starts(with: "bplist00".utf8))
    let read =
      try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(read?["ContentVersion"] as? String == "1.10")
    #expect(read?["Files"] as? [String] == ["ä", "1.9"])
    #expect(read?["Count"] as? Int == 3)
    #expect(read?.count == 4)
  }

  @Test func `in a package all other entries keep their bytes`() throws {
    let work = try Workspace()
    try work.write(ForgedArchive.book(contentVersion: "1.9").bytes(), to: "Book.pkg", permissions: 0o640)
    let before = try RawPackage(work.bytes("Book.pkg"))
    try work.iapkg("bump", "Book.pkg").succeeds()
    let after = try RawPackage(work.bytes("Book.pkg"))
    #expect(after.names == before.names)
    #expect(after.entries.dropFirst() == before.entries.dropFirst())
    #expect(after.entries.first != before.entries.first)
    #expect(try work.snapshot()["Book.pkg"]?.hasPrefix("file 640 ") == true)
    try work.iapkg("validate", "--strict", "Book.pkg").succeeds()
    #expect(try work.iapkg("info", "Book.pkg").succeeds().output.contains("1.10"))
  }

  @Test func `a bumped package equals the package of a bumped folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "old.pkg").succeeds()
    try work.iapkg("bump", "old.pkg", "-o", "new.pkg").succeeds()
    try work.iapkg("bump", "Book").succeeds()
    try work.iapkg("create", "Book", "-o", "made.pkg").succeeds()
    #expect(try work.bytes("new.pkg") == work.bytes("made.pkg"))
  }

  @Test func `-o leaves the input unchanged`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg("bump", "Book.pkg", "-o", "New.pkg").succeeds()
    try work.iapkg("bump", "Book", "-o", "New.plist").succeeds()
    try work.iapkg("bump", "Book", "--to", "9", "-o", "New.plist", "--force").succeeds()
    #expect(try work.text("New.plist") == ForgedArchive.manifest("com.example.book", "9"))
    try work.remove("New.pkg")
    try work.remove("New.plist")
    #expect(try work.snapshot() == before)
  }

  @Test func `an input without a readable version is refused`() throws {
    let work = try Workspace()
    try work.write("<plist><dict></dict></plist>", to: "a.plist")
    try work.iapkg("bump", "a.plist").fails(1, saying: "the key ContentVersion is missing")
    try work.write("nonsense", to: "b.plist")
    try work.iapkg("bump", "b.plist").fails(65, saying: "[manifest/unreadable]")
    try work.write(ForgedArchive([.file("Contents/a", "b")]), to: "c.pkg")
    try work.iapkg("bump", "c.pkg").fails(1, saying: "no readable ContentInfo.plist")
  }

  @Test func `a link in place of the manifest is refused`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write(ForgedArchive.manifest("com.example.book", "1.0"), to: "outside.plist")
    try work.remove("Book/ContentInfo.plist")
    try work.makeLink("Book/ContentInfo.plist", to: "../outside.plist")
    let before = try work.snapshot()
    for options in [[], ["--dry-run"], ["-o", "New.plist"]] {
      try work.iapkg(["bump", "Book"] + options).fails(1, saying: "[link/forbidden-place]")
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `a folder that is given twice is refused`() throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg("bump", "Book", "./Book/").fails(64, saying: "Book and ./Book/ are the same")
    try work.iapkg("bump", ".", "Book").fails(64, saying: "are the same")
    try work.iapkg("bump", "Book", "Book/ContentInfo.plist").fails(64, saying: "are the same")
    #expect(try work.snapshot() == before)
  }
}
