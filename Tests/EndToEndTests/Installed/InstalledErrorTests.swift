import PackageForge
import TestSupport
import Testing

/// The errors of commands on installed products: their exit codes and messages.
@Suite(.waiting) struct InstalledErrorTests {
  /// A command that fails if version 2.0 is installed and 1.0 is its previous version.
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let code: Int32
    let words: [String]
    let prepare: @Sendable (Workspace) throws -> Void

    init(
      _ arguments: String..., code: Int32, saying words: String...,
      prepare: @escaping @Sendable (Workspace) throws -> Void = { _ in }
    ) {
      self.arguments = arguments
      self.code = code
      self.words = words
      self.prepare = prepare
    }

    var testDescription: String { "\(arguments[0]): \(words[0])" }
  }

  private static let product = "com.example.book"
  private static let cover = "Documents/com.example.book/cover.txt"
  private static let previous = "Documents/.iapkg/previous/com.example.book/1.0"

  private static let packages = [
    Case("extract", "3.0.pkg", code: 1, saying: "the package was not installed", "[archive/checksum]") {
      var archive = ForgedArchive.book(contentVersion: "3.0")
      archive["Contents/pages/one.txt"].crc32 ^= 1
      try $0.write(archive, to: "3.0.pkg")
    },
    Case("extract", "3.0.pkg", code: 65, saying: "the package was not installed", "[manifest/unreadable]") {
      var archive = ForgedArchive.book()
      archive["ContentInfo.plist"] = .file("ContentInfo.plist", "nonsense")
      try $0.write(archive, to: "3.0.pkg")
    },
    Case("extract", "1.0.pkg", code: 1, saying: "version 2.0 is installed", "--allow-downgrade"),
    Case("extract", "2.0.pkg", code: 1, saying: "1 missing, 0 modified", "--repair") { try $0.remove(cover) },
    Case("extract", "1.0.pkg", "--repair", code: 1, saying: "not the one that version 2.0 was installed"),
    Case(
      "extract", "2.0.pkg", "--repair", code: 73,
      saying: "\(cover) is a folder, expected the file that was installed"
    ) {
      try $0.remove(cover)
      try $0.makeFolder(cover)
    },
    Case("extract", "3.0.pkg", "--exclude-from-backup", code: 1, saying: "has a file CACHEDIR.TAG") {
      var archive = ForgedArchive.book(contentVersion: "3.0")
      archive.add(.file("Contents/CACHEDIR.TAG", "mine"))
      try $0.write(archive, to: "3.0.pkg")
    },
  ]

  private static let folders = [
    Case(
      "extract", "1.0.pkg", "--into", "a/b", code: 73,
      saying: "cannot create a/b: No such file or directory; use --parents"),
    Case("extract", "1.0.pkg", "--into", "New", code: 73, saying: "New is a symbolic link, expected") {
      try $0.makeLink("New", to: "Documents")
    },
    Case(
      "extract", "1.0.pkg", "--into", "New", code: 73,
      saying: "cannot lock New/.iapkg/lock: it is a symbolic link"
    ) {
      try $0.makeFolder("New/.iapkg")
      try $0.makeLink("New/.iapkg/lock", to: "elsewhere")
    },
    Case(
      "extract", "1.0.pkg", "--into", "New", code: 73, saying: "New/\(product) is a regular file",
      "--force"
    ) { try $0.write("mine", to: "New/\(product)") },
    Case(
      "extract", "3.0.pkg", code: 73, saying: "1 item that iapkg did not install, mine.txt; move it",
      "keeps it, in .iapkg or beside the versions"
    ) { try $0.write("mine", to: "Documents/\(product)/mine.txt") },
    Case("status", "--into", "no\u{1B}where", code: 66, saying: "No such file"),
  ]

  private static let changes = [
    Case("status", "com.example.other", code: 1, saying: "com.example.other is not installed in Documents"),
    Case("remove", "com.example.other", code: 1, saying: "com.example.other is not installed in Documents"),
    Case(
      "remove", product, code: 73,
      saying: "1 file of \(product) was modified since the installation, \(cover)", "use --force to delete it"
    ) { try $0.write("edited", to: cover) },
    Case(
      "remove", product, code: 73, saying: "Documents/.iapkg has 1 file that iapkg did not install",
      "mine.txt; move it to another folder, or use --force to delete it"
    ) { try $0.write("mine", to: "\(previous)/mine.txt") },
    Case("rollback", product, "--into", "New", code: 1, saying: "no previous version of \(product)") {
      try $0.iapkg("extract", "1.0.pkg", "--into", "New").succeeds()
    },
    Case(
      "rollback", product, code: 1,
      saying: "1.0 of \(product) is not intact: 1 missing, 0 modified, \(previous)/cover.txt",
      "install its package again"
    ) { try $0.remove("\(previous)/cover.txt") },
    Case("rollback", product, "--to", "2.0", code: 1, saying: "is already in use, expected 1.0"),
    Case("rollback", product, "--to", "0.9", code: 1, saying: "install its package with --allow-downgrade"),
    Case("rollback", product, "--to", "3.0", code: 1, saying: "expected 1.0; install its package\n"),
  ]

  @Test(arguments: packages + folders + changes)
  func `an error has its exit code and message, and changes nothing`(_ error: Case) throws {
    let work = try Workspace()
    for version in ["1.0", "2.0", "3.0"] { try work.makeBookPackage("\(version).pkg", version: version) }
    for version in ["1.0", "2.0"] { try work.iapkg("extract", "\(version).pkg").succeeds() }
    try error.prepare(work)
    let before = try work.snapshot()
    let outcome = try work.iapkg(error.arguments).fails(error.code)
    for part in error.words { #expect(outcome.errors.contains(part), "\(outcome)") }
    #expect(try work.snapshot() == before)
  }

  @Test func `a command that cannot get the lock in time ends with an error`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.write("", to: "Documents/.iapkg/lock")
    let holding = ["flock", "Documents/.iapkg/lock"]
    try work.iapkg("extract", "Book.pkg", "--wait", "0.05", through: holding)
      .fails(75, saying: "another iapkg")
    try work.iapkg("extract", "Book.pkg", "--wait=-1").exits(64)
    try work.iapkg("extract", "Book.pkg").succeeds()
  }
}
