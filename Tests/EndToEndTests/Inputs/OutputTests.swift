import Foundation
import TestSupport
import Testing

/// Outputs are complete or absent, and overwrite nothing without `--force`.
@Suite(.waiting) struct OutputTests {
  @Test func `an existing output is kept and exits with 73, unless --force is given`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("precious", to: "Book.pkg", permissions: 0o600)
    try work.iapkg("create", "Book", "-o", "Book.pkg").fails(
      73, saying: "Book.pkg exists; use --force to replace it")
    #expect(try work.text("Book.pkg") == "precious")
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--force").succeeds()
    #expect(try work.snapshot()["Book.pkg"]?.hasPrefix("file 600 ") == true)
    try work.iapkg("validate", "Book.pkg").succeeds()
  }

  @Test func `every command that writes a file keeps existing files`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let before = try work.snapshot()
    try work.iapkg("bump", "Book.pkg", "-o", "Book.pkg").fails(73)
    try work.iapkg("bump", "Book", "-o", "Book.pkg").fails(64)
    try work.iapkg("validate", "Book", "-o", "Book.pkg").fails(73)
    try work.iapkg("init", "Book", "--product-id", "com.example.other").fails(73)
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["missing/Book.pkg", "file/Book.pkg", "/proc/Book.pkg", "folder.pkg"])
  func `an output that cannot be created exits with 73`(_ output: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("text", to: "file")
    try work.makeFolder("folder.pkg")
    let before = try work.snapshot()
    try work.iapkg("create", "Book", "-o", output, "--force").fails(73, saying: "cannot create \(output)")
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["Book.zip", "Book.PKG", "Book"])
  func `an output name that validate would reject is refused`(_ output: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", output).fails(
      64, saying: "--output is \(output), expected a name that ends in .pkg")
    #expect(try work.names() == ["Book"])
    try work.makeBookPackage()
    try work.iapkg("bump", "Book.pkg", "-o", output).fails(64, saying: "expected a name that ends in .pkg")
  }

  @Test func `a dry run checks the size like a real run`() throws {
    let work = try Workspace()
    try work.write(Noise.bytes(1_000), to: "stuff/noise")
    let words = [
      "create", "--contents", "stuff", "--product-id", "a", "--content-version", "1", "-o", "a.pkg",
    ]
    let size = try work.iapkg(words + ["--format=json"]).succeeds().document()["archiveBytes"]?.integer ?? 0
    for option in [[], ["--dry-run"]] {
      try work.iapkg(words + option + ["--force", "--max-size", "\(size)"]).succeeds()
      try work.iapkg(words + option + ["--force", "--max-size", "\(size - 1)"])
        .fails(1, saying: "the package would have \(size) bytes, expected at most \(size - 1)")
    }
    let planned = try work.iapkg("bump", "a.pkg", "--to", "1.10.100", "--dry-run", "--format=json")
      .document()
    let bumped = try work.iapkg("bump", "a.pkg", "--to", "1.10.100", "--format=json").succeeds().document()
    #expect(bumped["archiveBytes"] != .integer(size))
    #expect(planned == bumped)
  }

  @Test func `an output that cannot be replaced is refused`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeFolder("folder.pkg")
    try work.makeLink("device.pkg", to: "/dev/null")
    for (output, kind) in [
      ("folder.pkg", "folder"), ("device.pkg", "character device"), ("/dev/null", "character device"),
    ] {
      let outcome = try work.iapkg("create", "Book", "-o", output)
        .fails(
          73, saying: "cannot create \(output): it is a \(kind), and only a regular file can be replaced")
      #expect(!outcome.errors.contains("--force"))
    }
  }

  @Test(
    .enabled(if: Machine.obeysPermissions, "permissions do not apply, and setpriv is missing"))
  func `a read-only folder exits with 73`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBook()
    try work.makeFolder("sealed/Documents")
    try work.setPermissions(0o555, of: "sealed/Documents")
    try work.setPermissions(0o555, of: "sealed")
    try work.iapkg("create", "Book", "-o", "sealed/Book.pkg", through: Machine.bound).fails(73)
    try work.iapkg("init", "sealed/New", "--product-id", "a", through: Machine.bound).fails(73)
    try work.iapkg("extract", "Book.pkg", "--into", "sealed/New", through: Machine.bound).fails(73)
    try work.iapkg("extract", "Book.pkg", "--into", "sealed/Documents", through: Machine.bound).fails(73)
    #expect(try work.snapshot("sealed") == ["Documents": "folder 555"])
  }

  @Test func `a link to an output stays, and its target is replaced`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("old", to: "builds/1.pkg")
    try work.makeLink("latest.pkg", to: "builds/1.pkg")
    try work.iapkg("create", "Book", "-o", "latest.pkg").fails(73)
    try work.iapkg("create", "Book", "-o", "latest.pkg", "--force").succeeds()
    #expect(try work.snapshot()["latest.pkg"] == "link to builds/1.pkg")
    #expect(try work.names(in: "builds") == ["1.pkg"])
    try work.iapkg("validate", "builds/1.pkg").succeeds()
  }

  @Test func `a dry run writes nothing`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    let before = try work.snapshot()
    let created = try work.iapkg("create", "Book", "--dry-run").succeeds()
    #expect(created.output.contains("would hold com.example.book 1.0"))
    let bumped = try work.iapkg("bump", "Book.pkg", "--dry-run").succeeds()
    #expect(bumped.output.contains("1.0 -> 1.1, not written"))
    let extracted = try work.iapkg("extract", "Book.pkg", "--dry-run").succeeds()
    #expect(extracted.output.contains("would install com.example.book 1.0"))
    #expect(try work.snapshot() == before)
  }

  @Test func `a dry run makes no temporary file beside its output`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: work.path)
    for words in [
      ["create", "Book"], ["create", "Book", "-o", "Book.pkg", "--force"], ["bump", "Book.pkg"],
      ["bump", "Book.pkg", "-o", "New.pkg"], ["import", "Book.pkg", "-o", "New.pkg"],
    ] {
      try work.iapkg(words + ["--dry-run"]).exits(0)
      let now = try FileManager.default.attributesOfItem(atPath: work.path)[.modificationDate] as? Date
      #expect(now == time, "\(words)")
    }
  }

  @Test func `the report of validate goes to a file, its summary to standard error`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("[]", to: "Book/stray.json")
    try work.iapkg("validate", "Book", "--format=json", "-o", "report.json")
      .fails(1, saying: "Book: not valid (com.example.book 1.0), 1 error")
    let report = try JSON(parsing: work.text("report.json"))
    #expect(report["packages"]?[0]?["findings"]?[0]?["rule"] == "package/root-item")
    try work.iapkg("validate", "Book", "-o", "report.json").fails(73)
    try work.iapkg("validate", "Book", "-o", "report.json", "--force").fails(1, saying: "Book: not valid")
    #expect(try work.text("report.json").contains("[package/root-item]"))
  }
}
