import TestSupport
import Testing

/// The files of the user that a change keeps: where they are, who can read them, and what the reports say.
@Suite(.waiting) struct KeptFilesTests {
  private static let product = "Documents/com.example.book"
  private static let kept = "Documents/.iapkg/kept/com.example.book"

  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  private func install(_ version: String, _ options: String...) throws -> JSON {
    try work.iapkg(["extract", "\(version).pkg", "--format=json"] + options).succeeds().document()
  }

  @Test(arguments: ["flat", "versioned"], ["", "/pages"])
  func `a file of a private folder is kept where only its user can read it`(layout: String, folder: String)
    throws
  {
    _ = try install("1.0", "--layout", layout)
    let place = layout == "flat" || folder.isEmpty ? Self.product + folder : "\(Self.product)/1.0\(folder)"
    let home = layout == "flat" ? Self.product + folder : "\(Self.product)/1.0\(folder)"
    try work.setPermissions(0o700, of: place)
    try work.write("secret", to: "\(home)/diary")
    _ = try install("2.0", "--force", "--keep", "0")
    #expect(try work.text("\(Self.kept)/1/1.0\(folder)/diary") == "secret")
    #expect(try work.snapshot(Self.kept)["1"] == "folder 700")
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `status of another user names the folder of kept files`() throws {
    _ = try install("1.0")
    try work.write("mine", to: "\(Self.product)/mine.txt")
    _ = try install("2.0", "--force")
    try work.makeFolder("\(Self.kept)/2/1.0")
    for folder in ["../temporary", "."] { try work.setPermissions(0o777, of: folder) }
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let status = try work.iapkg(["status", "--format=json"], through: other).succeeds().document()
    #expect(status["products"]?[0]?["kept"]?.elements == [.string("\(Self.kept)/1")])
  }

  @Test func `a folder with the name of the new version is kept, and that version is not listed`() throws {
    _ = try install("1.0", "--layout", "versioned")
    try work.write("mine", to: "\(Self.product)/2.0/mine.txt")
    try work.makeFolder("\(Self.product)/3.0")
    #expect(try install("2.0", "--force")["kept"]?.elements == [.string("\(Self.kept)/1/2.0/mine.txt")])
    #expect(try install("3.0", "--force")["kept"]?.elements == [.string("\(Self.kept)/1/2.0/mine.txt")])
    #expect(try work.text("\(Self.product)/3.0/cover.txt") == "a cover")
  }

  @Test(arguments: ["flat", "versioned"])
  func `rollback names modified files, and then what hinders another one`(_ layout: String) throws {
    _ = try install("1.0", "--layout", layout)
    _ = try install("2.0")
    let file = layout == "flat" ? "cover.txt" : "2.0/cover.txt"
    try work.write("edited by me", to: "\(Self.product)/\(file)")
    let rollback = ["rollback", "com.example.book"]
    let rehearsed = try work.iapkg(rollback + ["--dry-run"]).succeeds().output
    #expect(rehearsed.contains("  modified, and to be kept in the previous version: \(file)\n"))
    let document = try work.iapkg(rollback + ["--dry-run", "--format=json"]).succeeds().document()
    #expect(document["modified"]?.elements == [.string(file)])
    let text = try work.iapkg(rollback).succeeds().output
    #expect(text.contains("  modified, and kept in the previous version: \(file)\n"))
    let previous =
      layout == "flat" ? "Documents/.iapkg/previous/com.example.book/2.0" : "\(Self.product)/2.0"
    try work.iapkg(rollback).fails(
      1, saying: "0 missing, 1 modified, \(previous)/cover.txt; install its package")
    #expect(try install("2.0")["kept"]?.elements == [.string("\(Self.kept)/1/2.0/cover.txt")])
    #expect(try work.text("\(Self.kept)/1/2.0/cover.txt") == "edited by me")
    let next = try work.iapkg(rollback + ["--format=json"]).succeeds().document()
    #expect(next["modified"] == nil)
  }

  @Test(arguments: [["extract", "2.0.pkg"], ["rollback", "com.example.book"]])
  func `a file in place of the link is reported where it is kept`(_ change: [String]) throws {
    _ = try install("1.0", "--layout", "versioned")
    _ = try install("3.0")
    if change[0] == "extract" { try work.iapkg("rollback", "com.example.book").succeeds() }
    try work.remove("\(Self.product)/current")
    try work.write("mine", to: "\(Self.product)/current")
    let rehearsed = try work.iapkg(change + ["--dry-run"]).succeeds().output
    #expect(rehearsed.contains("  modified, and to be replaced: current\n"))
    #expect(rehearsed.contains("to be kept: \(Self.product)/current\n"))
    let text = try work.iapkg(change).succeeds().output
    #expect(text.contains("  modified, and replaced: current\n"))
    #expect(text.contains("and kept: \(Self.kept)/1/current\n"))
    #expect(!text.contains("previous version: current"))
    #expect(try work.text("\(Self.kept)/1/current") == "mine")
  }

  @Test(arguments: ["flat", "versioned"])
  func `the obstacle says where a file would be kept`(_ layout: String) throws {
    _ = try install("1.0", "--layout", layout)
    try work.write("mine", to: "\(Self.product)/mine.txt")
    try work.iapkg("extract", "2.0.pkg").fails(73, saying: "keeps it, in .iapkg or beside the versions")
  }

  @Test(arguments: ["flat", "versioned"])
  func `a folder without files is listed neither before a change nor after`(_ layout: String) throws {
    _ = try install("1.0", "--layout", layout)
    try work.makeFolder("\(Self.product)/mine/empty")
    for options in [["--dry-run"], []] {
      let document = try work.iapkg(["extract", "2.0.pkg", "--force", "--format=json"] + options).succeeds()
        .document()
      #expect(document["kept"]?.elements == [])
    }
    let place = layout == "flat" ? "\(Self.kept)/1/1.0" : Self.product
    #expect(work.exists("\(place)/mine/empty"))
  }

  @Test func `folders without files beside kept files are listed nowhere, and stop no removal`() throws {
    for version in ["1.0", "2.0"] { _ = try install(version) }
    let previous = "Documents/.iapkg/previous/com.example.book"
    for folder in ["\(previous)/mine/empty", "\(previous)/1.0/empty", "\(Self.kept)/1/1.0"] {
      try work.makeFolder(folder)
    }
    let status = ["status", "--format=json"]
    #expect(try work.iapkg(status).succeeds().document()["products"]?[0]?["kept"]?.elements == [])
    try work.write("mine", to: "\(previous)/mine/notes.txt")
    let kept: [JSON] = [.string("\(previous)/mine/notes.txt")]
    #expect(try work.iapkg(status).succeeds().document()["products"]?[0]?["kept"]?.elements == kept)
    try work.iapkg("remove", "com.example.book").fails(73, saying: "1 file", "mine/notes.txt")
    try work.remove("\(previous)/mine/notes.txt")
    try work.iapkg("remove", "com.example.book").succeeds()
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `extract lists kept files only if it installs`() throws {
    _ = try install("1.0")
    try work.write("mine", to: "\(Self.product)/mine.txt")
    _ = try install("2.0", "--force")
    let repeated = try install("2.0")
    #expect(repeated["outcome"] == "up-to-date")
    #expect(repeated["kept"]?.elements == [])
    try work.remove("\(Self.product)/cover.txt")
    let repaired = try install("2.0", "--repair")
    #expect(repaired["outcome"] == "repaired")
    #expect(repaired["kept"]?.elements == [])
    let status = try work.iapkg("status", "--format=json").succeeds().document()
    #expect(status["products"]?[0]?["kept"]?.elements == [.string("\(Self.kept)/1/1.0/mine.txt")])
  }
}
