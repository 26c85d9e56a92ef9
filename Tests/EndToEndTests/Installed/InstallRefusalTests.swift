import Foundation
import TestSupport
import Testing

/// Obstacles to `extract`: a clear error, and no changes.
@Suite(.waiting) struct InstallRefusalTests {
  /// An obstacle, and the error message about it.
  struct Obstacle: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: String
    let make: @Sendable (Workspace) throws -> Void
    /// Whether `--force` overcomes it.
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

  /// Returns the paths and contents of the files that an obstacle consists of.
  private static func strangers(_ work: Workspace) throws -> Set<String> {
    let files = try work.snapshot("Documents").filter { $0.key.hasPrefix("com.example.book") }
    return Set(files.filter { $0.key.hasSuffix("mine.txt") || !$0.key.contains("/") }.values)
      .filter { !$0.hasPrefix("folder") }
  }

  @Test(arguments: Obstacle.all.filter(\.yields))
  func `yields to force, which keeps the files, however often the product is updated`(_ obstacle: Obstacle)
    throws
  {
    let work = try Workspace()
    try obstacle.make(work)
    let strangers = try Self.strangers(work)
    #expect(strangers.count == 1)
    var kept: [JSON] = []
    for version in ["1.0", "2.0", "3.0"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      let document = try work.iapkg("extract", "\(version).pkg", "--force", "--format=json").succeeds()
        .document()
      #expect(try work.names(in: "Documents/com.example.book") == ["cover.txt", "pages"])
      if kept.isEmpty { kept = document["kept"]?.elements ?? [] }
      #expect(kept.count == 1)
      #expect(document["kept"]?.elements == kept)
      let place = try #require(kept.first?.text)
      let folder = (place as NSString).deletingLastPathComponent
      #expect(try strangers.contains(work.snapshot(folder)[(place as NSString).lastPathComponent] ?? ""))
    }
    try work.iapkg("rollback", "com.example.book").succeeds()
    let status = try work.iapkg("status", "--verify", "--format=json").succeeds().document()
    #expect(status["products"]?[0]?["kept"]?.elements == kept)
  }

  @Test(arguments: Obstacle.all.filter(\.yields))
  func `remove deletes what is kept only if told to, and lists it`(_ obstacle: Obstacle) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try obstacle.make(work)
    let document = try work.iapkg("extract", "Book.pkg", "--force", "--format=json").succeeds().document()
    let before = try work.snapshot()
    try work.iapkg("remove", "com.example.book").fails(
      73, saying: "Documents/.iapkg has 1 file", "move it to another folder, or use --force to delete it")
    #expect(try work.snapshot() == before)
    let removal = try work.iapkg("remove", "com.example.book", "--force", "--format=json").succeeds()
      .document()
    #expect(removal["deleted"] == document["kept"])
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: ["flat", "versioned"])
  func `what was added to a version is kept when that version goes`(_ layout: String) throws {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0", "4.0"] {
      try work.makeBookPackage("\(version).pkg", version: version)
    }
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", layout).succeeds()
    }
    let previous =
      layout == "flat" ? "Documents/.iapkg/previous/com.example.book/1.0" : "Documents/com.example.book/1.0"
    try work.write("mine", to: previous + "/pages/mine.txt")
    try work.write("edited by me", to: previous + "/cover.txt")
    if layout == "versioned" { try work.iapkg("extract", "3.0.pkg").fails(73, saying: "1.0/pages/mine.txt") }
    try work.iapkg("extract", "3.0.pkg", "--force").succeeds()
    #expect(!work.exists(previous))
    let kept = "Documents/.iapkg/kept/com.example.book/1/1.0"
    #expect(try work.text(kept + "/pages/mine.txt") == "mine")
    #expect(try work.text(kept + "/cover.txt") == "edited by me")
    #expect(try work.names(in: kept) == ["cover.txt", "pages"])
    let lines = try work.iapkg("extract", "4.0.pkg").succeeds().output
    for file in ["cover.txt", "pages/mine.txt"] {
      #expect(lines.contains("  not installed by iapkg or modified since, and kept: \(kept)/\(file)\n"))
    }
    try work.remove("Documents/.iapkg/kept/com.example.book")
    try work.iapkg("remove", "com.example.book").succeeds()
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `a rollback keeps what was added`() throws {
    let work = try Workspace()
    for version in ["1.0", "2.0"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      try work.iapkg("extract", "\(version).pkg").succeeds()
    }
    try work.write("mine", to: "Documents/com.example.book/mine.txt")
    let kept = "Documents/.iapkg/kept/com.example.book/1/2.0/mine.txt"
    let document = try work.iapkg("rollback", "com.example.book", "--format=json").succeeds().document()
    #expect(document["kept"]?.elements == [.string(kept)])
    #expect(try work.text(kept) == "mine")
    try work.iapkg("rollback", "com.example.book").succeeds()
    try work.iapkg("status", "--verify").succeeds()
  }

  @Test func `beside versions a stranger is listed by each command that keeps it`() throws {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] {
      try work.makeBookPackage("\(version).pkg", version: version)
    }
    for version in ["1.0", "2.0"] {
      try work.iapkg("extract", "\(version).pkg", "--layout", "versioned").succeeds()
    }
    try work.write("mine", to: "Documents/com.example.book/2.0/mine.txt")
    let kept: [JSON] = ["Documents/com.example.book/2.0/mine.txt"]
    let update = ["extract", "3.0.pkg", "--force", "--format=json"]
    #expect(try work.iapkg(update + ["--dry-run"]).succeeds().document()["kept"]?.elements == kept)
    #expect(try work.iapkg(update).succeeds().document()["kept"]?.elements == kept)
    let rollback = ["rollback", "com.example.book", "--format=json"]
    #expect(try work.iapkg(rollback + ["--dry-run"]).succeeds().document()["kept"]?.elements == kept)
    #expect(try work.iapkg(rollback).succeeds().document()["kept"]?.elements == kept)
    let status = try work.iapkg("status", "--format=json").document()["products"]?[0]
    #expect(status?["kept"]?.elements == kept)
  }

  @Test func `what replaced an installed folder does not pass for that version`() throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.makeBookPackage()
    try work.iapkg("extract", "Old.pkg").succeeds()
    try work.remove("Documents/com.example.book")
    try work.write("mine", to: "Documents/com.example.book")
    try work.iapkg("extract", "Book.pkg", "--force").succeeds()
    try work.iapkg("rollback", "com.example.book").fails(1, saying: "there is no previous version")
    #expect(try work.text("Documents/.iapkg/kept/com.example.book/1/com.example.book") == "mine")
  }

  @Test func `rollback refuses a folder that replaced the previous version`() throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg", version: "0.1")
    try work.makeBookPackage()
    for package in ["Old.pkg", "Book.pkg"] { try work.iapkg("extract", package).succeeds() }
    try work.remove("Documents/.iapkg/previous/com.example.book/0.1")
    try work.makeLink("Documents/.iapkg/previous/com.example.book/0.1", to: "/etc")
    let before = try work.snapshot()
    try work.iapkg("rollback", "com.example.book").fails(1, saying: "not intact")
    #expect(try work.snapshot() == before)
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

  @Test func `the second process ends with an error, or waits`() throws {
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
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["extract", "Book.pkg"] + options, through: other).fails(73, saying: "Permission denied")
    }
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "Book.pkg").succeeds()
    let installed = try work.snapshot()
    try work.iapkg("extract", "Book.pkg", "--force", through: other).fails(73, saying: "user 0")
    try work.iapkg("extract", "Book.pkg", "--force", "--dry-run", through: other).exits(73)
    try work.iapkg("status", "--verify", through: other).succeeds()
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
      try work.iapkg(arguments, through: Machine.bound).fails(73, saying: "is read-only")
      #expect(try work.snapshot() == before)
    }
    try work.iapkg(["status", "--verify"], through: Machine.bound).succeeds()
  }
}
