import Foundation
import PackageForge
import TestSupport
import Testing

/// The effects of `extract`, `status`, `rollback` and `remove` on `Documents`.
@Suite(.waiting) struct InstallTests {
  @Test func `an update says what was modified, and keeps it in the previous version`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.write("mine, and longer", to: "Documents/com.example.book/cover.txt")
    let rehearsal = try work.iapkg("extract", "New.pkg", "--dry-run").succeeds().output
    #expect(rehearsal.contains("modified, and to be kept in the previous version: cover.txt"))
    let document = try work.iapkg("extract", "New.pkg", "--format=json").succeeds().document()
    #expect(document["modified"] == .array(["cover.txt"]))
    #expect(try work.text("Documents/.iapkg/previous/com.example.book/1.0/cover.txt") == "mine, and longer")
    #expect(try work.iapkg("extract", "New.pkg", "--format=json").succeeds().document()["modified"] == nil)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `an update needs no unreadable folder of the version in use, and keeps it`() throws {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
    for folder in ["../temporary", "."] { try work.setPermissions(0o777, of: folder) }
    let user = ["setpriv", "--reuid=4001", "--regid=4001", "--clear-groups"]
    try work.iapkg("extract", "1.0.pkg", through: user).succeeds()
    try work.setPermissions(0, of: "Documents/com.example.book/pages")
    for options in [["--dry-run"], []] {
      let document = try work.iapkg(["extract", "2.0.pkg", "--format=json"] + options, through: user)
        .succeeds().document()
      #expect(document["modified"] == .array(["pages"]))
    }
    let previous = "Documents/.iapkg/previous/com.example.book/1.0"
    #expect(try work.text("\(previous)/pages/one.txt") == "page one")
    #expect(try work.text("Documents/com.example.book/pages/one.txt") == "page one")
    // What cannot be read may be the user's own, so it is kept when its version is deleted.
    try work.iapkg("extract", "3.0.pkg", through: user).succeeds()
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/1.0/pages/one.txt") == "page one")
    // A removal would delete it unseen.
    try work.setPermissions(0o600, of: "Documents/com.example.book/pages")
    try work.iapkg("remove", "com.example.book", through: user).fails(66, saying: "pages")
    try work.iapkg("rollback", "com.example.book", through: user).succeeds()
  }

  @Test func `an update keeps layout and mark unless told otherwise`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("New.pkg", version: "2.0")
    try work.iapkg("extract", "Book.pkg", "--layout", "versioned", "--exclude-from-backup").succeeds()
    let installed = try work.snapshot("Documents/com.example.book")
    try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(try work.snapshot("Documents/com.example.book") == installed)
    let plan = try work.iapkg("extract", "New.pkg", "--dry-run", "--format=json").succeeds().document()
    try work.iapkg("extract", "New.pkg").succeeds()
    let names = try work.names(in: "Documents/com.example.book")
    #expect(names.isSuperset(of: ["2.0", "current"]))
    #expect(plan["added"]?.elements.contains("2.0") == true)
    #expect(names.contains("CACHEDIR.TAG") == installed.keys.contains { $0.hasSuffix("CACHEDIR.TAG") })
    try work.iapkg("status", "--verify").succeeds()
    try work.iapkg("extract", "New.pkg", "--layout", "flat").succeeds()
    #expect(try work.names(in: "Documents/com.example.book").contains("cover.txt"))
  }

  private static let product = "Documents/com.example.book"

  /// Returns a folder for the test with packages of versions 1.0 and 2.0 of a book.
  private static func library() throws -> Workspace {
    let work = try Workspace()
    try work.makeBookPackage("1.pkg")
    try work.makeBook("Two", version: "2.0")
    try work.write("page one, revised", to: "Two/Contents/pages/one.txt")
    try work.write("page two", to: "Two/Contents/pages/two.txt")
    try work.makeLink("Two/Contents/newest", to: "pages/two.txt")
    try work.iapkg("create", "Two", "-o", "2.pkg").exits(0)
    return work
  }

  private static func status(_ work: Workspace, _ options: String...) throws -> JSON {
    try work.iapkg(["status", "--format=json", "com.example.book"] + options).document()["products"]?[0]
      ?? .null
  }

  @Test func `flat content lies in the product's folder, and nothing else does`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "2.pkg").succeeds()
    #expect(
      try work.snapshot(Self.product) == [
        "cover.txt": "file 644 7 \(Data("a cover".utf8).base64EncodedString())", "pages": "folder 755",
        "pages/one.txt": "file 644 17 \(Data("page one, revised".utf8).base64EncodedString())",
        "pages/two.txt": "file 644 8 \(Data("page two".utf8).base64EncodedString())",
        "newest": "link to pages/two.txt",
      ])
    let status = try Self.status(work)
    #expect(status["contentVersion"] == "2.0")
    #expect(status["layout"] == "flat")
    #expect(status["intact"] == true)
  }

  @Test func `versioned content lies in a folder of its version, beside a relative link`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg", "--layout", "versioned").succeeds()
    #expect(try work.names(in: Self.product) == ["1.0", "current"])
    try work.iapkg("extract", "2.pkg", "--layout", "versioned").succeeds()
    #expect(try work.names(in: Self.product) == ["1.0", "2.0", "current"])
    #expect(try work.snapshot(Self.product)["current"] == "link to 2.0")
    #expect(try work.text(Self.product + "/current/pages/two.txt") == "page two")
    try work.iapkg("rollback", "com.example.book").succeeds()
    #expect(try work.names(in: Self.product) == ["1.0", "2.0", "current"])
    #expect(try work.snapshot(Self.product)["current"] == "link to 1.0")
    #expect(try Self.status(work)["layout"] == "versioned")
  }

  @Test func `the layout can change with the version or without`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg").succeeds()
    try work.iapkg("extract", "1.pkg", "--layout", "versioned").succeeds()
    #expect(try work.names(in: Self.product) == ["1.0", "current"])
    try work.iapkg("extract", "2.pkg", "--layout", "flat").succeeds()
    #expect(try work.names(in: Self.product) == ["cover.txt", "newest", "pages"])
    #expect(try Self.status(work, "--verify")["intact"] == true)
  }

  @Test func `rollback puts back the previous version, and doing it twice returns`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg").succeeds()
    let old = try work.snapshot(Self.product)
    try work.iapkg("extract", "2.pkg").succeeds()
    let new = try work.snapshot(Self.product)
    let document = try work.iapkg("rollback", "com.example.book", "--format=json").succeeds().document()
    #expect(document["contentVersion"] == "1.0")
    #expect(document["previousVersion"] == "2.0")
    #expect(try work.snapshot(Self.product) == old)
    #expect(try Self.status(work, "--verify")["contentVersion"] == "1.0")
    try work.iapkg("rollback", "com.example.book").succeeds()
    #expect(try work.snapshot(Self.product) == new)
    #expect(try Self.status(work, "--verify")["contentVersion"] == "2.0")
  }

  @Test func `rollback refuses what is not there and what is damaged`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg").succeeds()
    try work.iapkg("rollback", "com.example.book").fails(
      1, saying: "there is no previous version of com.example.book")
    try work.iapkg("extract", "2.pkg").succeeds()
    try work.remove("Documents/.iapkg/previous/com.example.book/1.0/cover.txt")
    let before = try work.snapshot()
    try work.iapkg("rollback", "com.example.book").fails(1, saying: "not intact", "1 missing")
    for (version, words) in [
      ("2.0", "is in use already, expected 1.0"), ("0.9", "install its package with --allow-downgrade"),
      ("3.0", "is not kept, expected 1.0; install its package\n"),
    ] {
      try work.iapkg("rollback", "com.example.book", "--to", version).fails(1, saying: words)
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `one previous version is kept`() throws {
    let work = try Self.library()
    try work.makeBookPackage("3.pkg", version: "3.0")
    for package in ["1.pkg", "2.pkg", "3.pkg"] { try work.iapkg("extract", package).succeeds() }
    #expect(try work.names(in: "Documents/.iapkg/previous/com.example.book") == ["2.0"])
    #expect(work.exists("Documents/.iapkg/previous/com.example.book/2.0/newest"))
    #expect(try work.names(in: "Documents/.iapkg") == ["lock", "previous", "records"])
  }

  @Test(arguments: ["flat", "versioned"])
  func `an edit of equal length and time is kept when its version is deleted`(layout: String) throws {
    let work = try Self.library()
    try work.makeBookPackage("3.pkg", version: "3.0")
    try work.iapkg("extract", "1.pkg", "--layout", layout).succeeds()
    let file = work.place(layout == "flat" ? "\(Self.product)/cover.txt" : "\(Self.product)/1.0/cover.txt")
    let time = try #require(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate])
    try Data("A cover".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
    try work.iapkg("extract", "2.pkg").succeeds()
    let document = try work.iapkg("extract", "3.pkg", "--format=json").succeeds().document()
    let kept = "Documents/.iapkg/kept/com.example.book/1/1.0"
    #expect(document["kept"]?.elements == ["\(kept)/cover.txt"].map(JSON.string), "\(document)")
    #expect(try work.snapshot(kept).keys.sorted() == ["cover.txt"])
    #expect(try work.text("\(kept)/cover.txt") == "A cover")
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `an update that is forced keeps a pipe and a file of the user, and nothing else`(_ options: [String])
    throws
  {
    let work = try Self.library()
    try work.iapkg(["extract", "1.pkg"] + options).succeeds()
    try work.run(["mkfifo", "\(Self.product)/pipe"]).exits(0)
    try work.write("mine", to: "\(Self.product)/own.txt")
    let update = ["extract", "2.pkg", "--force", "--format=json"]
    let document = try work.iapkg(update + options).succeeds().document()
    let kept = "Documents/.iapkg/kept/com.example.book/1/1.0"
    #expect(
      document["kept"]?.elements == ["\(kept)/own.txt", "\(kept)/pipe"].map(JSON.string), "\(document)")
  }

  @Test(
    .enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"),
    arguments: ["pages/one.txt", "pages"])
  func `a deleted version keeps what cannot be read`(path: String) throws {
    let work = try Self.library()
    try work.makeBookPackage("3.pkg", version: "3.0")
    let user = ["setpriv", "--reuid=65534", "--clear-groups"]
    for folder in ["", "../temporary"] { try work.setPermissions(0o777, of: folder) }
    try work.iapkg("extract", "1.pkg", through: user).exits(0)
    try work.iapkg("extract", "2.pkg", through: user).exits(0)
    try work.setPermissions(0, of: "Documents/.iapkg/previous/com.example.book/1.0/\(path)")
    try work.iapkg("extract", "3.pkg", through: user).exits(0)
    try work.iapkg("status", through: user).exits(0)
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/1.0/pages/one.txt") == "page one")
  }

  @Test func `remove leaves nothing, not even its own folder after the last product`() throws {
    let work = try Self.library()
    try work.makeBookPackage("Other.pkg", product: "com.example.other")
    for package in ["1.pkg", "2.pkg", "Other.pkg"] { try work.iapkg("extract", package).succeeds() }
    try work.iapkg("remove", "com.example.book").succeeds()
    #expect(try work.names(in: "Documents") == [".iapkg", "com.example.other"])
    #expect(try work.names(in: "Documents/.iapkg/records") == ["com.example.other"])
    #expect(!work.exists("Documents/.iapkg/previous"))
    try work.iapkg("remove", "com.example.other").succeeds()
    #expect(try work.names(in: "Documents") == [])
    try work.iapkg("remove", "com.example.other").fails(1, saying: "is not installed")
  }

  @Test func `the same version is left alone, a lower one refused`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "2.pkg").succeeds()
    try work.write(ForgedArchive.manifest("com.example.book", "2"), to: "Two/ContentInfo.plist")
    try work.iapkg("create", "Two", "-o", "Equal.pkg").exits(0)
    let before = try work.snapshot()
    let document = try work.iapkg("extract", "2.pkg", "--format=json").succeeds().document()
    #expect(document["outcome"] == "up-to-date")
    let words = try work.iapkg("extract", "Equal.pkg", "--into", "Documents/").succeeds().output
    #expect(words == "Documents/com.example.book: com.example.book 2.0 is already installed\n")
    try work.iapkg("extract", "1.pkg").fails(1, saying: "--allow-downgrade")
    try work.iapkg("extract", "1.pkg", "--force").fails(1, saying: "--allow-downgrade")
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "2.pkg", "--force").succeeds()
    try work.iapkg("extract", "1.pkg", "--allow-downgrade").succeeds()
    #expect(try Self.status(work)["contentVersion"] == "1.0")
  }

  @Test func `a rehearsal tells what would change and changes nothing`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg", "--dry-run").succeeds()
    #expect(!work.exists("Documents"))
    try work.iapkg("extract", "1.pkg").succeeds()
    let before = try work.snapshot()
    let document = try work.iapkg("extract", "2.pkg", "--dry-run", "--format=json").succeeds().document()
    #expect(document["outcome"] == "would-install")
    #expect(document["added"]?.elements == ["newest", "pages/two.txt"])
    #expect(document["changed"]?.elements == ["pages/one.txt"])
    #expect(document["removed"]?.elements == [])
    try work.iapkg("remove", "com.example.book", "--dry-run").succeeds()
    try work.iapkg("rollback", "com.example.book", "--dry-run").fails(1)
    #expect(try work.snapshot() == before)
  }

  @Test func `status tells what is missing, modified and extra`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "2.pkg").succeeds()
    try work.remove(Self.product + "/cover.txt")
    try work.write("longer than it was before", to: Self.product + "/pages/one.txt")
    try work.write("PAGE TWO", to: Self.product + "/pages/two.txt")
    try work.write("mine", to: Self.product + "/notes/mine.txt")
    let quick = try work.iapkg("status", "--format=json").exits(1).document()["products"]?[0]
    #expect(quick?["intact"] == false)
    #expect(quick?["missing"]?.elements == ["cover.txt"])
    #expect(quick?["modified"]?.elements == ["pages/one.txt"])
    #expect(quick?["extra"]?.elements == ["notes"])
    #expect(try Self.status(work, "--verify")["modified"]?.elements == ["pages/one.txt", "pages/two.txt"])
    try work.remove(Self.product)
    #expect(
      try Self.status(work)["missing"]?.elements == [
        "cover.txt", "newest", "pages", "pages/one.txt", "pages/two.txt",
      ])
    try work.iapkg("extract", "2.pkg").succeeds()
    #expect(try Self.status(work, "--verify")["intact"] == true)
  }

  @Test func `status of nothing is empty, of a stranger a rejection, without a folder an error`() throws {
    let work = try Workspace()
    try work.iapkg("status").fails(66)
    try work.makeFolder("Documents")
    #expect(try work.iapkg("status", "--format=json").succeeds().document()["products"]?.elements == [])
    try work.iapkg("status", "com.example.book").fails(1, saying: "not installed")
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: ["flat", "versioned"])
  func `repair replaces only damaged files`(_ layout: String) throws {
    let work = try Self.library()
    try work.iapkg("extract", "2.pkg", "--layout", layout, "--exclude-from-backup").succeeds()
    let whole = try work.snapshot(Self.product)
    let content = layout == "flat" ? Self.product : Self.product + "/2.0"
    try work.write("PAGE TWO", to: content + "/pages/two.txt")
    try work.remove(content + "/newest")
    try work.remove(Self.product + "/CACHEDIR.TAG")
    if layout == "versioned" { try work.remove(Self.product + "/current") }
    let cover = try FileManager.default.attributesOfItem(atPath: work.place(content + "/cover.txt"))
    try work.write("mine", to: content + "/mine.txt")
    try work.iapkg("extract", "2.pkg", "--layout", layout).fails(1, saying: "--repair")
    try work.iapkg("extract", "1.pkg", "--repair").fails(1, saying: "not the one")
    try work.iapkg("extract", "2.pkg", "--repair").succeeds()
    #expect(try work.text(content + "/mine.txt") == "mine")
    try work.remove(content + "/mine.txt")
    #expect(try work.snapshot(Self.product) == whole)
    let after = try FileManager.default.attributesOfItem(atPath: work.place(content + "/cover.txt"))
    #expect(cover[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(try Self.status(work, "--verify")["intact"] == true)
  }

  @Test(arguments: [["--layout", "flat"], ["--keep", "3"], ["--allow-downgrade"]])
  func `an option of a new installation is wrong where nothing new is installed`(_ option: [String]) throws {
    let work = try Self.library()
    try work.iapkg(["extract", "1.pkg", "--repair"] + option).fails(64, saying: "cannot be combined")
    try work.iapkg(["fetch", "com.example.book", "--from", "store", "--output", "book.pkg"] + option)
      .fails(64, saying: "cannot be combined")
  }

  @Test(arguments: ["flat", "versioned"])
  func `repair refuses another package even if nothing is damaged`(_ layout: String) throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg", "--layout", layout).succeeds()
    let whole = try work.snapshot()
    try work.iapkg("extract", "2.pkg", "--repair").fails(1, saying: "not the one that version 1.0")
    try work.iapkg("extract", "1.pkg", "--repair").succeeds()
    #expect(try work.snapshot() == whole)
  }

  @Test func `repair leaves a folder in place of a file, and says what it expected`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "2.pkg").succeeds()
    try work.remove(Self.product + "/cover.txt")
    try work.write("mine", to: Self.product + "/cover.txt/mine.txt")
    let before = try work.snapshot()
    try work.iapkg("extract", "2.pkg", "--repair").fails(
      73, saying: "\(Self.product)/cover.txt is a folder, expected the file that was installed")
    #expect(try work.snapshot() == before)
  }

  @Test func `a product can be marked for backups, unless its content has the mark's name`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg").succeeds()
    try work.iapkg("extract", "1.pkg", "--exclude-from-backup").succeeds()
    let signature = "Signature: 8a477f597d28d172789f06886806bc55\n"
    #expect(try work.text(Self.product + "/CACHEDIR.TAG").hasPrefix(signature))
    #expect(try Self.status(work, "--verify")["intact"] == true)
    try work.write("mine", to: "Two/Contents/CACHEDIR.TAG")
    try work.iapkg("create", "Two", "-o", "2.pkg", "--force").exits(0)
    let before = try work.snapshot()
    try work.iapkg("extract", "2.pkg", "--exclude-from-backup").fails(1, saying: "CACHEDIR.TAG")
    #expect(try work.snapshot() == before)
  }

  @Test func `a copy of everything is as good as the original`() throws {
    let work = try Self.library()
    try work.iapkg("extract", "1.pkg").succeeds()
    try work.iapkg("extract", "2.pkg").succeeds()
    #expect(try work.run(["cp", "-a", "Documents", "Copy"]).code == 0)
    try work.iapkg("status", "--verify", "--into", "Copy").succeeds()
    try work.iapkg("rollback", "com.example.book", "--into", "Copy").succeeds()
    try work.iapkg("status", "--verify", "--into", "Copy").succeeds()
  }
}
