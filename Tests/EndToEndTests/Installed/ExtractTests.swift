import PackageForge
import TestSupport
import Testing

/// `extract` installs the content, and an update replaces all of it.
@Suite(.waiting) struct ExtractTests {
  private static let installed = "Documents/com.example.book"

  @Test func `subfolders and links arrive as they are, and nothing else`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("deep", to: "Book/Contents/a/b/c/d.txt")
    try work.makeFolder("Book/Contents/empty/folder")
    try work.makeLink("Book/Contents/a/up", to: "../cover.txt")
    try work.makeLink("Book/Contents/pages/here", to: ".")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let outcome = try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(outcome.output == "\(Self.installed): installed com.example.book 1.0, 5 files, 32 bytes\n")
    #expect(try work.snapshot(Self.installed) == work.snapshot("Book/Contents"))
    #expect(try work.names(in: "Documents") == [".iapkg", "com.example.book"])
  }

  @Test(arguments: ["caf\u{E9}.txt", "cafe\u{301}.txt"])
  func `names that are not ASCII arrive as they are, and the check of the file system leaves nothing`(
    _ name: String
  ) throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    archive.add(.file("Contents/\(name)", "x"))
    try work.write(archive, to: "Book.pkg")
    try work.makeFolder("Documents")
    try work.iapkg("extract", "Book.pkg", "--dry-run").exits(0)
    #expect(try work.names(in: "Documents").isEmpty)
    try work.iapkg("extract", "Book.pkg").exits(0)
    #expect(try work.names(in: "Documents/.iapkg") == ["lock", "records"])
    try work.iapkg("status", "--verify").succeeds()
    try work.remove("\(Self.installed)/cover.txt")
    try work.iapkg("extract", "Book.pkg", "--repair").exits(0)
    try work.iapkg("status", "--verify").succeeds()
  }

  @Test func `modes are ours, whatever the umask is`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg", through: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""])
      .succeeds()
    let installed = try work.snapshot(Self.installed)
    #expect(installed["pages"] == "folder 755")
    #expect(installed["pages/one.txt"]?.hasPrefix("file 644 ") == true)
    #expect(try work.snapshot("Documents")["com.example.book"] == "folder 755")
  }

  @Test func `META-INF is tolerated and not installed`() throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    archive.add(.file("META-INF/com.apple.ZipMetadata.plist", "x"))
    try work.write(archive, to: "Book.pkg")
    try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(try work.names(in: Self.installed) == ["cover.txt", "pages"])
  }

  @Test func `an update replaces all there was, and keeps it`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    let first = try work.snapshot(Self.installed)
    try work.write(ForgedArchive.manifest("com.example.book", "1.1"), to: "New/ContentInfo.plist")
    try work.write("another cover", to: "New/Contents/cover.txt")
    try work.write("page two", to: "New/Contents/pages/two.txt")
    try work.iapkg("create", "New", "-o", "New.pkg").succeeds()
    let outcome = try work.iapkg("extract", "New.pkg").succeeds()
    #expect(outcome.output.contains("installed com.example.book 1.1 in place of 1.0, "))
    #expect(try work.snapshot(Self.installed) == work.snapshot("New/Contents"))
    #expect(try work.snapshot("Documents/.iapkg/previous/com.example.book/1.0") == first)
    #expect(try work.names(in: "Documents/.iapkg") == ["lock", "previous", "records"])
    #expect(try work.names(in: "Documents/.iapkg/records") == ["com.example.book"])
  }

  @Test func `products that differ in letter case live side by side if the file system allows it`() throws {
    let work = try Workspace()
    try work.makeFolder("folder")
    guard !work.exists("FOLDER") else { return }
    for product in ["com.Ex.P", "COM.EX.P"] {
      try work.makeBookPackage("\(product).pkg", product: product)
      try work.iapkg("extract", "\(product).pkg").succeeds()
    }
    #expect(try work.names(in: "Documents") == [".iapkg", "com.Ex.P", "COM.EX.P"])
    try work.iapkg("status", "--verify").succeeds()
  }

  @Test func `products live side by side`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("Other.pkg", product: "com.example.book.more")
    try work.iapkg("extract", "Book.pkg").succeeds()
    let first = try work.snapshot(Self.installed)
    try work.iapkg("extract", "Other.pkg", "--into", "./Documents/").succeeds()
    #expect(try work.snapshot(Self.installed) == first)
    #expect(try work.names(in: "Documents") == [".iapkg", "com.example.book", "com.example.book.more"])
  }

  @Test func `the same version again changes nothing, unless forced`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    let before = try work.snapshot("Documents")
    let again = try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(again.output == "\(Self.installed): com.example.book 1.0 is already installed\n")
    #expect(try work.snapshot("Documents") == before)
    try work.write("spoiled, and longer", to: "\(Self.installed)/cover.txt")
    let forced = try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    #expect(forced.output.contains("  modified, and kept in .iapkg/kept: cover.txt\n"))
    #expect(try work.text("\(Self.installed)/cover.txt") == "a cover")
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/1.0/cover.txt") == "spoiled, and longer")
    #expect(!work.exists("Documents/.iapkg/previous"))
  }

  @Test func `a missing folder above Documents is made only if asked for`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg", "--into", "a/b").fails(
      73, saying: "cannot create a/b: No such file or directory; use --parents")
    #expect(try work.names() == ["Book.pkg"])
    try work.iapkg("extract", "Book.pkg", "--into", "a/b", "--parents").succeeds()
  }

  @Test func `a version written in another way is the same version`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("Same.pkg", version: "1.0.0")
    try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(try work.iapkg("extract", "Same.pkg").succeeds().output.contains("is already installed"))
  }

  @Test func `a lower version is refused, unless allowed`() throws {
    let work = try Workspace()
    try work.makeBookPackage(version: "1.10")
    try work.makeBookPackage("Old.pkg", version: "1.9")
    try work.iapkg("extract", "Book.pkg").succeeds()
    let before = try work.snapshot("Documents")
    try work.iapkg("extract", "Old.pkg").fails(1, saying: "version 1.10 is installed", "--allow-downgrade")
    try work.iapkg("extract", "Old.pkg", "--force").fails(1, saying: "--allow-downgrade")
    try work.iapkg("extract", "Old.pkg", "--dry-run").fails(1, saying: "--allow-downgrade")
    #expect(try work.snapshot("Documents") == before)
    let outcome = try work.iapkg("extract", "Old.pkg", "--allow-downgrade").succeeds()
    #expect(outcome.output.contains("installed com.example.book 1.9 in place of 1.10"))
  }

  @Test(arguments: ["folder", "file", "link"])
  func `what iapkg did not install is left alone, unless forced`(_ kind: String) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.write("saved games", to: "elsewhere/saves")
    switch kind {
    case "folder": try work.write("saved games", to: "\(Self.installed)/saves")
    case "file": try work.write("saved games", to: Self.installed)
    default:
      try work.makeFolder("Documents")
      try work.makeLink(Self.installed, to: "../elsewhere")
    }
    let before = try work.snapshot()
    try work.iapkg("extract", "Book.pkg").fails(73, saying: "\(Self.installed) exists", "--force")
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    #expect(try work.names(in: Self.installed) == ["cover.txt", "pages"])
    #expect(try work.snapshot("elsewhere") == ["saves": before["elsewhere/saves"]])
    #expect(work.exists("Documents/.iapkg/kept/com.example.book/1/com.example.book"))
  }
}
