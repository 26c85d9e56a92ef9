import PackageForge
import TestSupport
import Testing

/// The files of the user in the reports of `extract`, `rollback`, `remove` and `status`.
@Suite(.waiting) struct ChangeReportTests {
  private static let product = "Documents/com.example.book"
  private static let kept = "Documents/.iapkg/kept/com.example.book"
  private static let own = "  not installed by iapkg or modified since, and "

  private let work: Workspace

  init() throws {
    work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  private func text(_ arguments: String...) throws -> String {
    try work.iapkg(arguments).succeeds().output
  }

  private func document(_ arguments: String...) throws -> JSON {
    try work.iapkg(arguments + ["--format=json"]).succeeds().document()
  }

  @Test func `the text names every modified, kept and deleted file`() throws {
    let cover = "\(Self.product)/cover.txt"
    #expect(
      try text("extract", "1.0.pkg")
        == "\(Self.product): installed com.example.book 1.0, 2 files, 15 bytes\n")
    try work.write("edited by me", to: cover)
    let planned = try text("extract", "2.0.pkg", "--dry-run")
    #expect(planned.contains("  modified, and to be kept in the previous version: cover.txt\n"))
    let updated = try text("extract", "2.0.pkg")
    #expect(updated.contains(": installed com.example.book 2.0 in place of 1.0, "))
    #expect(updated.contains("  modified, and kept in the previous version: cover.txt\n"))
    try work.makeBookPackage("2.pkg", version: "2")
    #expect(
      try text("extract", "2.pkg", "--into", "Documents/")
        == "\(Self.product): com.example.book 2.0 is already installed\n")
    let file = "\(Self.kept)/1/1.0/cover.txt"
    #expect(try text("extract", "3.0.pkg").contains("\(Self.own)kept: \(file)\n"))
    #expect(try text("status").contains("\(Self.own)kept: \(file)\n"))
    try work.write("edited by me", to: cover)
    let rollback = try text("rollback", "com.example.book", "--dry-run")
    #expect(rollback.contains("  modified, and to be kept in the previous version: cover.txt\n"))
    #expect(
      try text("extract", "3.0.pkg", "--force").contains("  modified, and kept in .iapkg/kept: cover.txt\n"))
    let remove = ["remove", "com.example.book", "--force"]
    #expect(try work.iapkg(remove + ["--dry-run"]).output.contains("\(Self.own)to be deleted: \(file)\n"))
    #expect(try work.iapkg(remove).output.contains("\(Self.own)deleted: \(file)\n"))
    #expect(try work.names(in: "Documents") == [])
  }

  @Test(arguments: [["extract", "2.0.pkg"], ["rollback", "com.example.book"]])
  func `the text names the folders of versions, and where a file in place of the link is kept`(
    _ change: [String]
  ) throws {
    try work.iapkg("extract", "1.0.pkg", "--layout", "versioned").succeeds()
    try work.iapkg("extract", "3.0.pkg").succeeds()
    if change[0] == "extract" { try work.iapkg("rollback", "com.example.book").succeeds() }
    // The update deletes the damaged version, because the older one is intact.
    let (edited, home) =
      change[0] == "extract" ? ("1.0/cover.txt", ".iapkg/kept") : ("3.0/cover.txt", "the previous version")
    try work.write("edited by me", to: "\(Self.product)/\(edited)")
    try work.remove("\(Self.product)/current")
    try work.write("mine", to: "\(Self.product)/current")
    let planned = try work.iapkg(change + ["--dry-run"]).succeeds().output
    #expect(planned.contains("  modified, and to be kept in \(home): \(edited)\n"))
    #expect(planned.contains("  modified, and to be replaced: current\n"))
    #expect(planned.contains("\(Self.own)to be kept: \(Self.product)/current\n"))
    let changed = try work.iapkg(change).succeeds().output
    #expect(changed.contains("  modified, and replaced: current\n"))
    #expect(changed.contains("\(Self.own)kept: \(Self.kept)/1/current\n"))
    #expect(!changed.contains("previous version: current"))
  }

  @Test func `the text and the document name versions that are deleted because they are damaged`() throws {
    for version in ["1.0", "2.0", "3.0"] { _ = try text("extract", "\(version).pkg", "--keep", "2") }
    try work.write("edited by me", to: "Documents/.iapkg/previous/com.example.book/2.0/cover.txt")
    let planned = try text("extract", "3.0.pkg", "--layout", "versioned", "--dry-run")
    #expect(
      planned.contains("damaged, and to be deleted in place of an older version that is intact: 2.0\n"))
    let changed = try document("extract", "3.0.pkg", "--layout", "versioned")
    #expect(changed["damagedVersions"]?.elements == ["2.0"])
    #expect(changed["kept"]?.elements == [.string("\(Self.kept)/1/2.0/cover.txt")])
  }

  @Test func `the documents list every changed, modified, kept and deleted file`() throws {
    var archive = ForgedArchive.book(contentVersion: "2.0")
    archive["Contents/pages/one.txt"] = .file("Contents/pages/one.txt", "page one, revised")
    archive.add(.file("Contents/pages/two.txt", "page two"))
    try work.write(archive, to: "2.0.pkg")
    _ = try document("extract", "1.0.pkg")
    let planned = try document("extract", "2.0.pkg", "--dry-run")
    #expect(planned["outcome"] == "would-install")
    #expect(planned["added"]?.elements == ["pages/two.txt"])
    #expect(planned["changed"]?.elements == ["pages/one.txt"])
    #expect(planned["removed"]?.elements == [] && planned["modified"] == nil)
    _ = try document("extract", "2.0.pkg")
    try work.write("edited by me", to: "\(Self.product)/cover.txt")
    #expect(try document("extract", "3.0.pkg", "--dry-run")["modified"]?.elements == ["cover.txt"])
    let rolledBack = try document("rollback", "com.example.book")
    #expect(rolledBack["contentVersion"] == "1.0" && rolledBack["previousVersion"] == "2.0")
    #expect(rolledBack["modified"]?.elements == ["cover.txt"] && rolledBack["kept"]?.elements == [])
    try work.write("mine", to: "\(Self.product)/mine.txt")
    let kept: [JSON] = [.string("\(Self.kept)/1/1.0/mine.txt"), .string("\(Self.kept)/1/2.0/cover.txt")]
    #expect(try document("extract", "3.0.pkg", "--force")["kept"]?.elements == kept)
    #expect(try document("status")["products"]?[0]?["kept"]?.elements == kept)
    #expect(try document("rollback", "com.example.book", "--dry-run")["kept"]?.elements == kept)
    #expect(try document("remove", "com.example.book", "--force")["deleted"]?.elements == kept)
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `a forced update keeps a pipe and a file of the user, and nothing else`(_ options: [String]) throws {
    try work.iapkg(["extract", "1.0.pkg"] + options).succeeds()
    try work.run(["mkfifo", "\(Self.product)/pipe"]).exits(0)
    try work.write("mine", to: "\(Self.product)/own.txt")
    let update = ["extract", "2.0.pkg", "--force", "--format=json"]
    let kept = try work.iapkg(update + options).succeeds().document()["kept"]?.elements
    #expect(kept == [.string("\(Self.kept)/1/1.0/own.txt"), .string("\(Self.kept)/1/1.0/pipe")])
  }
}
