import PackageForge
import Testing

/// With `--format json`, standard output is always one document of the documented structure.
@Suite(.waiting) struct JSONTests {
  private static let head: Set<String> = ["schemaVersion", "command"]
  private static let package = head.union([
    "path", "productIdentifier", "contentVersion", "entries", "archiveBytes", "contentBytes",
  ])

  @Test func `create reports the package`() throws {
    let work = try Workspace()
    try work.makeBook()
    let document = try work.iapkg("create", "Book", "-o", "Book.pkg", "--format", "json").succeeds()
      .document()
    #expect(document.keys == Self.package.union(["findings", "ignored"]))
    #expect(document["command"] == "create")
    #expect(document["path"] == "Book.pkg")
    #expect(document["productIdentifier"] == "com.example.book")
    #expect(document["contentVersion"] == "1.0")
    #expect(document["entries"] == 5)
    #expect(document["archiveBytes"] == .integer(Int64(try work.bytes("Book.pkg").count)))
    #expect(document["contentBytes"] == .integer(Int64(try work.bytes("Book/ContentInfo.plist").count + 15)))
    #expect(document["findings"] == .array([]))
  }

  @Test func `init reports the content folder`() throws {
    let work = try Workspace()
    let document = try work.iapkg("init", "New", "--product-id", "a.b", "--format=json").succeeds().document()
    #expect(document.keys == Self.head.union(["path", "productIdentifier", "contentVersion"]))
    #expect(document["command"] == "init")
    #expect(document["path"] == "New")
    #expect(document["productIdentifier"] == "a.b")
    #expect(document["contentVersion"] == "1.0")
  }

  @Test func `validate reports each input and each finding`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook()
    try work.write(ForgedArchive.manifest("no good", "1.0"), to: "Book/ContentInfo.plist")
    let document = try work.iapkg("validate", "Book.pkg", "Book", "--format=json").exits(1).document()
    #expect(document.keys == Self.head.union(["valid", "packages", "unusedIgnores"]))
    #expect(document["valid"] == false)
    let (good, bad) = (try #require(document["packages"]?[0]), try #require(document["packages"]?[1]))
    let keys: Set = [
      "path", "kind", "productIdentifier", "contentVersion", "archiveBytes", "contentBytes", "entries",
      "errors",
      "warnings", "findings", "ignored", "suppressions",
    ]
    #expect(good.keys == keys)
    #expect(bad.keys == keys)
    #expect(good["kind"] == "package")
    #expect(good["archiveBytes"] == .integer(Int64(try work.bytes("Book.pkg").count)))
    #expect(good["findings"] == .array([]))
    #expect(bad["kind"] == "folder")
    #expect(bad["archiveBytes"] == .null)
    #expect(bad["productIdentifier"] == .null)
    #expect(bad["errors"] == 1)
    let finding = try #require(bad["findings"]?[0])
    #expect(finding.keys == ["rule", "severity", "path", "line", "message", "remedy"])
    #expect(finding["rule"] == "manifest/product-identifier")
    #expect(finding["severity"] == "error")
    #expect(finding["path"] == "ContentInfo.plist")
    #expect(finding["line"] == 7)
  }

  @Test func `info lists the entries with --files`() throws {
    let work = try Workspace()
    try work.write(ForgedArchive.book(), to: "Book.pkg")
    let short = try work.iapkg("info", "Book.pkg", "--format=json").succeeds().document()
    #expect(short.keys == Self.package.union(["kind", "byKind", "duplicates"]))
    let document = try work.iapkg("info", "Book.pkg", "--files", "--format=json").succeeds().document()
    #expect(document.keys == Self.package.union(["files", "kind", "byKind", "duplicates"]))
    let files = document["files"]?.elements ?? []
    #expect(files.count == 4)
    for file in files { #expect(file.keys == ["path", "size", "compressedSize", "method", "kind"]) }
    #expect(files[1]["path"] == "Contents/cover.txt")
    #expect(files[1]["size"] == 7)
    #expect(files[1]["method"] == "deflated")
    #expect(files[1]["kind"] == "file")
    #expect(files[2]["path"] == "Contents/pages")
    #expect(files[2]["kind"] == "folder")
    #expect(files[3]["method"] == "stored")
  }

  @Test func `bump reports the previous version`() throws {
    let work = try Workspace()
    try work.makeBookPackage(version: "1.9")
    let document = try work.iapkg("bump", "Book.pkg", "--format=json").succeeds().document()
    #expect(document.keys == Self.package.union(["previousVersion"]))
    #expect(document["previousVersion"] == "1.9")
    #expect(document["contentVersion"] == "1.10")
    #expect(document["archiveBytes"] == .integer(Int64(try work.bytes("Book.pkg").count)))
    try work.makeBook()
    for input in ["Book", "Book/ContentInfo.plist"] {
      let document = try work.iapkg("bump", input, "--format=json").succeeds().document()
      #expect(document.keys == Self.package.union(["previousVersion"]))
      #expect(document["path"]?.text == input)
    }
  }

  @Test func `extract reports the installed and the previous version`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("Book2.pkg", version: "2.0")
    let first = try work.iapkg("extract", "Book.pkg", "--format=json").succeeds().document()
    let keys = Self.package.union([
      "installedPath", "previousVersion", "files", "outcome", "findings", "kept",
    ])
    #expect(first.keys == keys)
    #expect(first["installedPath"] == "Documents/com.example.book")
    #expect(first["previousVersion"] == .null)
    #expect(first["files"] == 2)
    #expect(first["outcome"] == "installed")
    let second = try work.iapkg("extract", "Book2.pkg", "--format=json").succeeds().document()
    #expect(second["previousVersion"] == "1.0")
    let third = try work.iapkg("extract", "Book2.pkg", "--format=json").succeeds().document()
    #expect(third.keys == keys)
    #expect(third["outcome"] == "up-to-date")
  }

  private static let errors: [([String], Int32)] = [
    (["create", "missing"], 66), (["diff", "Book", "missing"], 66), (["info", "missing"], 66),
    (["bump", "missing"], 66),
    (["extract", "missing"], 66), (["create", "Book", "-o", "taken.pkg"], 73),
    (["init", "Book", "--product-id", "a"], 73),
    (["extract", "taken"], 65), (["bump", "Book", "--to", "1.0"], 1), (["create", "Bad"], 1),
    (["create", "Book", "-o", "none/x.pkg"], 73),
  ]

  @Test(arguments: errors)
  func `an error is a document too`(_ arguments: [String], _ code: Int32) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("taken", to: "taken")
    try work.write("taken", to: "taken.pkg")
    try work.makeFolder("Bad")
    let outcome = try work.iapkg(arguments + ["--format", "json"]).exits(code, saying: "error: ")
    let document = try outcome.document()
    #expect(document.keys.subtracting(["findings"]) == Self.head.union(["error"]), "\(outcome)")
    #expect(document["command"]?.text == arguments[0])
    #expect(document["error"]?.keys == ["code", "message", "path"])
    #expect(document["error"]?["code"] == .integer(Int64(code)))
    #expect(document["error"]?["message"]?.text?.isEmpty == false)
  }

  private static let misuses: [([String], String)] = [
    (["--format=json", "create"], "create"), (["validate", "--format", "json"], "validate"),
    (["init", "x", "--product-id", "/", "--format=json"], "init"), (["--format=json"], "iapkg"),
    (["create", "x", "--jobs=0", "--format=json"], "create"),
    (["bump", "x", "--oops", "--format=json"], "bump"),
  ]

  @Test(arguments: misuses)
  func `wrong usage is a document too`(_ arguments: [String], _ command: String) throws {
    let work = try Workspace()
    let document = try work.iapkg(arguments).exits(64).document()
    #expect(document["command"]?.text == command)
    #expect(document["error"]?["code"] == 64)
    #expect(document["error"]?["path"] == .null)
  }

  @Test func `a refused content folder has its findings`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeLink("Book/Contents/out", to: "/etc/passwd")
    let document = try work.iapkg("create", "Book", "--format=json").exits(1).document()
    #expect(document["error"]?["path"] == "Book")
    #expect(document["findings"]?[0]?["rule"] == "link/absolute")
    #expect(document["findings"]?[0]?["path"] == "Contents/out")
  }
}
