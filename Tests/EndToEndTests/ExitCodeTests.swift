import Foundation
import PackageForge
import TestSupport
import Testing

/// Each exit code that scripts rely on, with the use of the output streams.
@Suite(.waiting) struct ExitCodeTests {
  @Test func `success exits with 0, and writes only to standard output`() throws {
    let work = try Workspace()
    try work.makeBook()
    let outcome = try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    #expect(outcome.output.hasPrefix("Book.pkg: com.example.book 1.0, "))
  }

  @Test func `invalid content exits with 1`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("MZ", to: "Book/Contents/setup.exe")
    try work.write("#!/bin/sh\n", to: "Book/Contents/run", permissions: 0o755)
    try work.iapkg("create", "Book", "-o", "Book.pkg")
      .fails(1, saying: "Contents/run", "[file/executable-code]", "[file/possible-code]")
    #expect(try work.names() == ["Book"])
  }

  @Test(arguments: [
    ["destroy"], ["extra", "Book"], ["create"], ["create", "Book", "--contents", "Book"],
    ["create", "--contents", "Book"],
    ["create", "Book", "--product-id", "a"], ["create", "Book", "--jobs", "0"],
    ["create", "Book", "--jobs", "x"],
    ["create", "Book", "--max-size", "3GiB"], ["create", "Book", "--max-size", "0"],
    ["create", "Book", "--compression", "zstd"], ["init", "New", "--product-id", "../evil"],
    ["init", "New", "--product-id", "a", "--content-version", "1..0"], ["init", "New"], ["validate"],
    ["validate", "Book", "--format", "xml"], ["validate", "Book", "--ignore", "no/such-rule"],
    ["validate", "Book", "--ignore", "archive/overlap"], ["bump", "Book", "--major", "--to", "2"],
    ["bump", "Book", "--to", "two"], ["diff", "a.pkg", "b.pkg", "c.pkg"], ["info", "--nonsense"],
    ["validate", "-dash"], ["validate", "-zh", "Book"],
  ])
  func `wrong usage exits with 64`(_ arguments: [String]) throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    try work.iapkg(arguments).fails(64)
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["yesterday", "1.5", "-1", "-5", "4354819199", "99999999999999999999"])
  func `a time that ZIP cannot record or that is not a number is wrong usage`(_ time: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", environment: ["SOURCE_DATE_EPOCH": time])
      .fails(64, saying: "SOURCE_DATE_EPOCH is '\(time)', expected seconds since 1970")
  }

  @Test(arguments: ["0", "315532800", "4354819198"])
  func `the earliest and the latest time are accepted`(_ time: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg", environment: ["SOURCE_DATE_EPOCH": time]).succeeds()
    try work.iapkg("validate", "--strict", "Book.pkg").succeeds()
  }

  @Test(arguments: ["info", "bump", "extract"])
  func `a file that is not a package exits with 65`(_ command: String) throws {
    let work = try Workspace()
    try work.write("this is no archive, only some text", to: "Book.pkg")
    let before = try work.snapshot()
    try work.iapkg(command, "Book.pkg").fails(65)
    #expect(try work.snapshot() == before)
  }

  @Test(arguments: ["info", "bump", "extract"])
  func `a truncated package exits with 65`(_ command: String) throws {
    let work = try Workspace()
    try work.write(Array(ForgedArchive.book().bytes().dropLast(40)), to: "Book.pkg")
    try work.iapkg(command, "Book.pkg").fails(65)
  }

  @Test func `validate reports a file that is not a package as a finding`() throws {
    let work = try Workspace()
    try work.write("this is no archive, only some text", to: "Book.pkg")
    try work.iapkg("validate", "Book.pkg").exits(1)
    #expect(try work.rules(in: "Book.pkg") == ["archive/not-a-zip"])
  }

  @Test(arguments: [
    ["create", "missing"],
    ["create", "--contents", "missing", "--product-id", "a", "--content-version", "1"],
    ["validate", "missing"], ["info", "missing.pkg"], ["bump", "missing"], ["bump", "empty"],
    ["extract", "missing.pkg"], ["extract", "--dry-run", "missing.pkg"],
  ])
  func `a missing input exits with 66`(_ arguments: [String]) throws {
    let work = try Workspace()
    try work.makeFolder("empty")
    try work.iapkg(arguments).fails(66, saying: "No such file or directory")
    #expect(try work.snapshot() == ["empty": "folder 755"])
  }

  @Test func `a folder in place of a package exits with 66`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("extract", "Book").fails(66, saying: "cannot open Book: it is a folder")
  }

  @Test func `a file in place of a folder exits with 66`() throws {
    let work = try Workspace()
    try work.write("text", to: "file")
    try work.iapkg("create", "file").fails(66, saying: "cannot open file")
  }

  @Test(
    .enabled(if: Machine.obeysPermissions, "permissions do not apply, and setpriv is missing"))
  func `an unreadable input exits with 66`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.setPermissions(0, of: "Book.pkg")
    for command in ["validate", "info", "bump", "extract"] {
      try work.iapkg(command, "Book.pkg", through: Machine.bound).fails(66, saying: "cannot open Book.pkg")
    }
    try work.makeBook()
    try work.setPermissions(0, of: "Book/Contents/pages/one.txt")
    try work.iapkg("create", "Book", through: Machine.bound).fails(66, saying: "pages/one.txt")
    try work.setPermissions(0, of: "Book/Contents/pages")
    try work.iapkg("create", "Book", through: Machine.bound).fails(66, saying: "Book/Contents/pages")
    try work.setPermissions(0o755, of: "Book/Contents/pages")
    #expect(try work.names() == ["Book", "Book.pkg"])
  }

  @Test func `a folder that another iapkg is using exits with 75`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.write("", to: "Documents/.iapkg/lock")
    let lock = unsafe open(work.place("Documents/.iapkg/lock"), O_RDWR | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let before = try work.snapshot()
    try work.iapkg("extract", "Book.pkg").fails(75, saying: "another iapkg is using Documents")
    #expect(try work.snapshot() == before)
    close(lock)
    try work.iapkg("extract", "Book.pkg").succeeds()
  }
}
