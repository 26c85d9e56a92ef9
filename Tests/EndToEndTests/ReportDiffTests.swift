import PackageForge
import TestSupport
import Testing

/// `diff`, and its use as a gate in `create` and `bump`.
@Suite(.waiting) struct ReportDiffTests {
  @Test func `added, removed and changed files are listed, and an unraised version is refused`() throws {
    let work = try published()
    try work.write("another cover", to: "Book/Contents/cover.txt")
    try work.write("page two", to: "Book/Contents/pages/two.txt")
    try work.remove("Book/Contents/pages/one.txt")
    let outcome = try work.iapkg("diff", "Old.pkg", "Book").exits(1, saying: "[version/not-raised]")
    #expect(
      outcome.output.hasPrefix(
        "- Contents/pages/one.txt\n+ Contents/pages/two.txt\n~ Contents/cover.txt\ncom.example.book 1.0 -> 1.0: 1 added"
      ))
    let document = try work.iapkg("diff", "Old.pkg", "Book", "--format=json").exits(1).document()
    #expect(document["added"] == .array(["Contents/pages/two.txt"]))
    #expect(document["removed"] == .array(["Contents/pages/one.txt"]))
    #expect(document["changed"] == .array(["Contents/cover.txt"]))
    #expect((document["downloadBytes"]?.integer ?? 0) > 21)
    #expect(document["versionRaised"] == .bool(false))
    #expect(document["oldVersion"] == "1.0")
    #expect(document["findings"]?[0]?["rule"] == "version/not-raised")
    try work.iapkg("bump", "Book").succeeds()
    #expect(
      try work.iapkg("diff", "Old.pkg", "Book", "--format=json").succeeds().document()["versionRaised"]
        == .bool(true))
  }

  @Test func `a file in place of a folder with files is reported, and the reverse`() throws {
    let work = try published()
    try work.remove("Book/Contents/pages")
    try work.write("all pages", to: "Book/Contents/pages")
    for (old, new, added, removed): (String, String, String, String) in [
      ("Old.pkg", "Book", "Contents/pages", "Contents/pages/one.txt"),
      ("Book", "Old.pkg", "Contents/pages/one.txt", "Contents/pages"),
    ] {
      let document = try work.iapkg("diff", old, new, "--format=json").exits(1).document()
      #expect(document["added"] == .array([.string(added)]))
      #expect(document["removed"] == .array([.string(removed)]))
      #expect(document["changed"] == .array([]))
    }
  }

  @Test func `the only change of an empty folder that gets a file is the file`() throws {
    let work = try published()
    try work.makeFolder("Book/Contents/empty")
    try work.iapkg("create", "Book", "-o", "Empty.pkg").exits(0)
    try work.write("page", to: "Book/Contents/empty/page.txt")
    for (old, new, list) in [("Empty.pkg", "Book", "added"), ("Book", "Empty.pkg", "removed")] {
      let document = try work.iapkg("diff", old, new, "--format=json").exits(1).document()
      for other in ["added", "removed", "changed"] {
        #expect(document[other] == .array(other == list ? ["Contents/empty/page.txt"] : []))
      }
    }
  }

  @Test func `folders and packages with the same content are equal, for any compression`() throws {
    let work = try published()
    try work.write(ForgedArchive.book(), to: "Forged.pkg")
    for (old, new) in [("Old.pkg", "Book"), ("Book", "Old.pkg"), ("Forged.pkg", "Old.pkg"), ("Book", "Book")]
    {
      let outcome = try work.iapkg("diff", old, new).succeeds()
      #expect(outcome.output == "com.example.book 1.0 -> 1.0: same content\n")
    }
  }

  @Test func `changes of equal length, of link targets and of the app's own keys are reported`() throws {
    let work = try published()
    try work.write("A COVER", to: "Book/Contents/cover.txt")
    #expect(try changes(work) == .array(["Contents/cover.txt"]))
    try work.write("a cover", to: "Book/Contents/cover.txt")
    try work.makeLink("Book/Contents/link", to: "cover.txt")
    try work.iapkg("create", "Book", "-o", "Old.pkg", "--force").succeeds()
    try work.remove("Book/Contents/link")
    try work.makeLink("Book/Contents/link", to: "pages")
    #expect(try changes(work) == .array(["Contents/link"]))
    try work.remove("Book/Contents/link")
    try work.makeLink("Book/Contents/link", to: "cover.txt")
    let manifest = try work.text("Book/ContentInfo.plist")
    try work.write(
      manifest.replacing("</dict>", with: "<key>Folder</key><string>x</string></dict>"),
      to: "Book/ContentInfo.plist")
    #expect(try changes(work) == .array(["ContentInfo.plist"]))
  }

  @Test func `a damaged package is named`() throws {
    let work = try published()
    var archive = ForgedArchive.book()
    archive["ContentInfo.plist"].crc32 = 1
    try work.write(archive, to: "Bad.pkg")
    for inputs in [["Old.pkg", "Bad.pkg"], ["Bad.pkg", "Old.pkg"]] {
      let document = try work.iapkg(["diff", "--format=json"] + inputs).exits(1).document()
      #expect(document["error"]?["path"] == "Bad.pkg")
    }
  }

  @Test func `create refuses changed content of the published version, and accepts a raised version`() throws
  {
    let work = try published()
    try work.iapkg("create", "Book", "--against", "Old.pkg", "-o", "Same.pkg").succeeds()
    try work.write("new", to: "Book/Contents/new.txt")
    try work.iapkg("create", "Book", "--against", "Old.pkg", "-o", "New.pkg").fails(
      1, saying: "[version/not-raised]")
    #expect(!work.exists("New.pkg"))
    try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg").succeeds()
    try work.iapkg("create", "Book", "--against", "Old.pkg", "-o", "New.pkg").succeeds()
    #expect(try work.iapkg("info", "New.pkg", "--format=json").document()["contentVersion"] == "1.1")
  }

  @Test func `validate compares with the published package in every format`() throws {
    let work = try published()
    try work.iapkg("validate", "Book", "--against", "Old.pkg").succeeds()
    try work.write("new", to: "Book/Contents/new.txt")
    let text = try work.iapkg("validate", "Book", "--against", "Old.pkg").exits(1).output
    #expect(text.contains("content differs in 1 place") && text.contains("[version/not-raised]"))
    #expect(try work.rules(in: "Book", "--against", "Old.pkg") == ["version/not-raised"])
    let github = try work.iapkg("validate", "Book", "--against", "Old.pkg", "--format", "github").exits(1)
    #expect(github.output.hasPrefix("::error file=Book/ContentInfo.plist,title=version/not-raised::content "))
    let sarif = try work.iapkg("validate", "Book", "--against", "Old.pkg", "--format=sarif").exits(1)
      .document()
    #expect(sarif["runs"]?[0]?["results"]?[0]?["ruleId"] == "version/not-raised")
    let junit = try work.iapkg("validate", "Book", "--against", "Old.pkg", "--format", "junit").exits(1)
    #expect(junit.output.contains("<failure message=\"version/not-raised: "))
    try work.iapkg("bump", "Book").succeeds()
    try work.iapkg("validate", "Book", "--against", "Old.pkg").succeeds()
  }

  @Test func `validate reports an input even if it cannot be compared with the published package`() throws {
    let work = try published()
    try work.write("no archive", to: "Bad.pkg")
    try work.makeBookPackage("Other.pkg", product: "com.example.other")
    for (other, code, words) in [
      ("Ol.pkg", 66, "did you mean Old.pkg?"), ("Bad.pkg", 65, "Bad.pkg is not a valid package"),
      ("Other.pkg", 1, "belongs to the product com.example.other, expected com.example.book"),
    ] as [(String, Int32, String)] {
      let document = try work.iapkg("validate", "Book", "--against", other, "--format=json")
        .exits(code, saying: words).document()
      #expect(document["packages"]?[0]?["path"] == "Book")
      #expect(document["error"]?["code"] == .integer(Int64(code)))
    }
    #expect(try work.rules(in: "Bad.pkg", "--against", "Old.pkg") == ["archive/not-a-zip"])
    try work.iapkg("validate", "Book", "Old.pkg", "--against", "Old.pkg").fails(
      64, saying: "requires exactly one path")
  }

  @Test func `bump raises only changed content, to above the published version`() throws {
    let work = try published(version: "2.3")
    let same = try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg").succeeds()
    #expect(same.output == "Book: com.example.book 2.3 has the published content, not changed\n")
    try work.makeBook(version: "1.0")
    try work.write("new", to: "Book/Contents/new.txt")
    let raised = try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg", "--minor").succeeds()
    #expect(raised.output == "Book: com.example.book 1.0 -> 2.4\n")
    let again = try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg", "--format=json").succeeds()
      .document()
    #expect(again["contentVersion"] == "2.4")
    #expect(again["previousVersion"] == "2.4")
  }

  @Test func `create refuses a published package of another product`() throws {
    let work = try published()
    try work.makeBookPackage("Other.pkg", product: "com.example.other")
    try work.iapkg("create", "Book", "--against", "Other.pkg")
      .fails(
        1,
        saying: "the published package belongs to the product com.example.other, expected com.example.book")
  }

  @Test func `inputs that cannot be compared are refused`() throws {
    let work = try published()
    try work.write("no archive", to: "Bad.pkg")
    try work.iapkg("diff", "Old.pkg", "Bad.pkg").fails(65)
    try work.iapkg("diff", "Old.pkg", "missing").fails(66)
    try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg", "--to", "3").fails(64)
  }

  /// Creates a folder, and its published package.
  private func published(version: String = "1.0") throws -> Workspace {
    let work = try Workspace()
    try work.makeBook(version: version)
    try work.iapkg("create", "Book", "-o", "Old.pkg").succeeds()
    return work
  }

  private func changes(_ work: Workspace) throws -> JSON? {
    try work.iapkg("diff", "Old.pkg", "Book", "--format=json").exits(1).document()["changed"]
  }
}
