import Foundation
import PackageForge
import TestSupport
import Testing

/// Replaced files, and folders that two processes create at once.
@Suite(.waiting) struct OwnerTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage("a.pkg")
  }

  @Test(.enabled(if: Machine.isRoot, "needs root"))
  func `a replaced file keeps its owner, group and permissions`() throws {
    for path in ["Book/ContentInfo.plist", "a.pkg", "report.txt"] {
      if !work.exists(path) { try work.write("old", to: path) }
      try FileManager.default.setAttributes(
        [.ownerAccountID: 1_234, .groupOwnerAccountID: 4_321], ofItemAtPath: work.place(path))
      try work.setPermissions(0o640, of: path)
    }
    try work.iapkg("bump", "Book", "a.pkg").exits(0)
    try work.iapkg("validate", "Book", "-o", "report.txt", "--force").exits(0)
    for path in ["Book/ContentInfo.plist", "a.pkg", "report.txt"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: work.place(path))
      #expect(attributes[.ownerAccountID] as? Int == 1_234, "\(path)")
      #expect(attributes[.groupOwnerAccountID] as? Int == 4_321, "\(path)")
      #expect(attributes[.posixPermissions] as? Int == 0o640, "\(path)")
    }
  }

  @Test func `init refuses a folder that another process has locked`() throws {
    try work.makeFolder("New")
    let folder = unsafe open(work.place("New"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    try #require(flock(folder, LOCK_EX) == 0)
    try work.iapkg("init", "New", "--product-id", "a").fails(75, saying: "another process is changing New")
    #expect(try work.names(in: "New").isEmpty)
    try #require(flock(folder, LOCK_UN) == 0)
    try work.iapkg("init", "New", "--product-id", "a").exits(0)
    #expect(try work.names(in: "New") == ["ContentInfo.plist", "Contents"])
  }

  @Test func `of several init commands for one folder, one succeeds and creates a complete folder`() throws {
    for round in 0..<5 {
      let all = try (0..<6).map { _ in
        try work.startIapkg("init", "New\(round)", "--product-id", "a")
      }
      let codes = all.map { $0.wait() }
      #expect(codes.count { $0 == 0 } == 1 && codes.allSatisfy { [0, 73, 75].contains($0) }, "\(codes)")
      #expect(try work.names(in: "New\(round)") == ["ContentInfo.plist", "Contents"])
    }
  }

  @Test func `the manifest of a content folder is not written as a package`() throws {
    try work.iapkg("bump", "Book", "-o", "Book.pkg").fails(64, saying: "expected a manifest")
    #expect(!work.exists("Book.pkg"))
    try work.iapkg("bump", "Book", "-o", "New.plist").exits(0)
  }

  @Test func `the message about a named pipe suggests standard input`() throws {
    try work.run(["mkfifo", "pipe.pkg"]).exits(0)
    for command in ["validate", "info", "extract"] {
      try work.iapkg(command, "pipe.pkg").exits(66, saying: "it is a fifo", "use - for standard input")
    }
  }
}
