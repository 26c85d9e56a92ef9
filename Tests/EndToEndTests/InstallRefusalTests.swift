import Foundation
import Testing

/// What `extract` finds in its way: a clear refusal, and everything as it was.
struct InstallRefusalTests {
  /// Something that stands in the way, and what the refusal says of it.
  struct Obstacle: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: String
    let make: @Sendable (Workspace) throws -> Void
    /// Whether `--force` helps.
    var yields = false

    static let all = [
      Obstacle(testDescription: "Documents is a link", words: "symbolic link") {
        try $0.makeFolder("Elsewhere")
        try $0.makeLink("Documents", to: "Elsewhere")
      },
      Obstacle(testDescription: "Documents is a file", words: "regular file") {
        try $0.write("mine", to: "Documents")
      },
      Obstacle(testDescription: "Documents is a link that leads nowhere", words: "symbolic link") {
        try $0.makeLink("Documents", to: "nowhere")
      },
      Obstacle(
        testDescription: "the product is a link", words: "symbolic link",
        make: {
          try $0.makeFolder("Documents")
          try $0.makeFolder("Elsewhere")
          try $0.makeLink("Documents/com.example.book", to: "../Elsewhere")
        }, yields: true),
      Obstacle(
        testDescription: "the product is a file", words: "regular file",
        make: { try $0.write("mine", to: "Documents/com.example.book") }, yields: true),
      Obstacle(
        testDescription: "the product holds other files", words: "not installed by iapkg",
        make: { try $0.write("mine", to: "Documents/com.example.book/mine.txt") }, yields: true),
      Obstacle(
        testDescription: "files were added to the product", words: "mine.txt",
        make: { work in
          try work.makeBookPackage("Old.pkg", version: "0.1")
          try work.iapkg("extract", "Old.pkg").succeeds()
          try work.write("mine", to: "Documents/com.example.book/mine.txt")
        }, yields: true),
      Obstacle(testDescription: ".iapkg is a link", words: "symbolic link") {
        try $0.makeFolder("Documents")
        try $0.makeFolder("Elsewhere")
        try $0.makeLink("Documents/.iapkg", to: "../Elsewhere")
      },
      Obstacle(testDescription: ".iapkg is a file", words: "regular file") {
        try $0.write("mine", to: "Documents/.iapkg")
      },
      Obstacle(testDescription: "the records are a link", words: "symbolic link") {
        try $0.makeFolder("Documents/.iapkg")
        try $0.makeFolder("Elsewhere")
        try $0.makeLink("Documents/.iapkg/records", to: "../../Elsewhere")
      },
      Obstacle(testDescription: "the lock is a link", words: "symbolic link") {
        try $0.makeFolder("Documents/.iapkg")
        try $0.makeLink("Documents/.iapkg/lock", to: "elsewhere")
      },
      Obstacle(testDescription: "a folder without a record is left of a swap", words: "displaced") {
        try $0.makeBookPackage("Old.pkg", version: "0.1")
        try $0.iapkg("extract", "Old.pkg").succeeds()
        try $0.write("mine", to: "Documents/.iapkg/displaced/mine.txt")
      },
      Obstacle(testDescription: "the lock is a folder", words: "lock") {
        try $0.makeFolder("Documents/.iapkg/lock")
      },
    ]
  }

  @Test(arguments: Obstacle.all)
  func `is refused`(_ obstacle: Obstacle) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try obstacle.make(work)
    let before = try work.snapshot()
    let outcome = try work.iapkg("extract", "Book.pkg").fails(73, saying: obstacle.words)
    #expect(try work.snapshot() == before, "\(outcome)")
    if !obstacle.yields {
      try work.iapkg("extract", "Book.pkg", "--force").fails(73, saying: obstacle.words)
      #expect(try work.snapshot() == before)
    }
  }

  @Test(arguments: Obstacle.all.filter(\.yields))
  func `yields to force, which keeps the files in the version before`(_ obstacle: Obstacle) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try obstacle.make(work)
    let before = try Self.product(in: "Documents", of: work)
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    #expect(try work.names(in: "Documents/com.example.book") == ["cover.txt", "pages"])
    #expect(try Self.product(in: "Documents/.iapkg/previous", of: work) == before)
    try work.iapkg("rollback", "com.example.book").succeeds()
    #expect(try Self.product(in: "Documents", of: work) == before)
    try work.iapkg("rollback", "com.example.book").succeeds()
    try work.iapkg("status", "--verify", "com.example.book").succeeds()
  }

  @Test(arguments: Obstacle.all.filter(\.yields))
  func `remove deletes what the version before keeps of others only if told to`(_ obstacle: Obstacle) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try obstacle.make(work)
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    let before = try work.snapshot()
    try work.iapkg("remove", "com.example.book").fails(73, saying: ".iapkg/previous/com.example.book")
    #expect(try work.snapshot() == before)
    try work.iapkg("remove", "com.example.book", "--force").succeeds()
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: Obstacle.all.filter(\.yields))
  func `an update deletes what the version before keeps of others only if told to`(_ obstacle: Obstacle)
    throws
  {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("New.pkg", version: "2.0")
    try obstacle.make(work)
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    let before = try work.snapshot()
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["extract", "New.pkg"] + options)
        .fails(73, saying: ".iapkg/previous/com.example.book", "would be deleted")
      #expect(try work.snapshot() == before)
    }
    try work.iapkg("extract", "New.pkg", "--force").succeeds()
    #expect(try work.names(in: "Documents/.iapkg/previous/com.example.book") == ["cover.txt", "pages"])
  }

  @Test func `an update does not delete what was added before a rollback`() throws {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      if version != "3.0" { try work.iapkg("extract", "\(version).pkg").succeeds() }
    }
    try work.write("mine", to: "Documents/com.example.book/mine.txt")
    try work.iapkg("rollback", "com.example.book").succeeds()
    try work.iapkg("extract", "3.0.pkg").fails(73, saying: "would be deleted")
    #expect(try work.text("Documents/.iapkg/previous/com.example.book/mine.txt") == "mine")
  }

  @Test func `what replaced an installed folder does not pass for that version`() throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.makeBookPackage()
    try work.iapkg("extract", "Old.pkg").succeeds()
    try work.remove("Documents/com.example.book")
    try work.write("mine", to: "Documents/com.example.book")
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    let change = try work.iapkg("rollback", "com.example.book", "--format=json").succeeds().document()
    #expect(change["contentVersion"] == .null)
    #expect(try work.text("Documents/com.example.book") == "mine")
  }

  @Test func `rollback refuses what somebody has put in the place of the version before`() throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.makeBookPackage()
    for package in ["Old.pkg", "Book.pkg"] { try work.iapkg("extract", package).succeeds() }
    try work.remove("Documents/.iapkg/previous/com.example.book")
    try work.makeLink("Documents/.iapkg/previous/com.example.book", to: "/etc")
    let before = try work.snapshot()
    try work.iapkg("rollback", "com.example.book").fails(1, saying: "damaged")
    #expect(try work.snapshot() == before)
  }

  /// What has the product's name in a folder, with all that is in it.
  private static func product(in folder: String, of work: Workspace) throws -> [String: String] {
    try work.snapshot(folder).filter { $0.key.hasPrefix("com.example.book") }
  }

  @Test func `an empty folder of the product's name is no obstacle`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeFolder("Documents/com.example.book")
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.iapkg("status", "--verify").succeeds()
  }

  @Test func `a link to Documents is followed where the path says so`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeFolder("Elsewhere")
    try work.makeLink("Documents", to: "Elsewhere")
    try work.iapkg("extract", "Book.pkg", "--into", "Documents/").succeeds()
    #expect(try work.names(in: "Elsewhere") == [".iapkg", "com.example.book"])
  }

  @Test(arguments: ["bad.pkg", "Wrong.pkg"])
  func `a package that is not accepted leaves no trace`(_ package: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").exits(0)
    try work.write("no archive", to: "bad.pkg")
    var bytes = try work.bytes("Book.pkg")
    let content = try #require(bytes.firstRange(of: Array("page one".utf8)))
    bytes[content.lowerBound] ^= 1
    try work.write(bytes, to: "Wrong.pkg")
    let untouched = try work.snapshot()
    #expect(try work.iapkg("extract", package).code != 0)
    #expect(try work.snapshot() == untouched)
    try work.makeFolder("Documents")
    #expect(try work.iapkg("extract", package).code != 0)
    #expect(try work.names(in: "Documents") == [])
    try work.iapkg("extract", "Book.pkg").succeeds()
    let installed = try work.snapshot()
    #expect(try work.iapkg("extract", package, "--force").code != 0)
    #expect(try work.snapshot() == installed)
  }

  @Test func `whoever comes too late is told, or waits`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeFolder("Documents/.iapkg")
    try work.write("", to: "Documents/.iapkg/lock")
    let holding = ["flock", "Documents/.iapkg/lock"]
    try work.iapkg("extract", "Book.pkg", through: holding).fails(75, saying: "another iapkg")
    try work.iapkg("extract", "Book.pkg", "--wait", "0.05", through: holding).fails(75)
    try work.iapkg("extract", "Book.pkg", "--wait=-1").exits(64)
    try work.iapkg("extract", "Book.pkg").succeeds()
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `what another user owns is refused`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeFolder("Documents")
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let before = try work.snapshot()
    try work.iapkg("extract", "Book.pkg", through: other).fails(73, saying: "Permission denied")
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "Book.pkg").succeeds()
    let installed = try work.snapshot()
    try work.iapkg("extract", "Book.pkg", "--force", through: other).fails(73, saying: "user 0")
    #expect(try work.snapshot() == installed)
  }

  @Test(
    .enabled(if: Machine.obeysPermissions, "needs setpriv"),
    arguments: ["Documents", "Documents/com.example.book", "Documents/.iapkg"])
  func `what is read-only is refused`(_ folder: String) throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.makeBookPackage()
    for package in ["Old.pkg", "Book.pkg"] { try work.iapkg("extract", package).succeeds() }
    try work.makeBookPackage("New.pkg", version: "9.0")
    try work.setPermissions(0o555, of: folder)
    defer { try? work.setPermissions(0o755, of: folder) }
    let before = try work.snapshot()
    for arguments in [
      ["extract", "New.pkg"], ["rollback", "com.example.book"], ["remove", "com.example.book"],
    ] {
      try work.iapkg(arguments, through: Machine.bound).fails(73, saying: "Permission denied")
      #expect(try work.snapshot() == before)
    }
    try work.iapkg(["status", "--verify"], through: Machine.bound).succeeds()
  }
}
