import Foundation
import PackageForge
import TestSupport
import Testing

/// `bump` replaces only the input that it has read, and concurrent runs do not lose each other's changes.
@Suite(.waiting) struct HeldInputTests {
  @Test(.enabled(if: Machine.has("flock")), arguments: ["Book.pkg", "Book/ContentInfo.plist"])
  func `an input that another process has locked is not changed`(_ file: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    let before = try work.snapshot()
    try work.iapkg("bump", file, through: ["flock", file]).fails(
      75, saying: "another process is changing \(file)")
    #expect(try work.snapshot() == before)
    // A lock does not prevent reading.
    try work.iapkg("bump", file, "--dry-run", through: ["flock", file]).succeeds()
    let output = file.hasSuffix(".pkg") ? "New.pkg" : "New.plist"
    try work.iapkg("bump", file, "-o", output, through: ["flock", file]).succeeds()
  }

  @Test(arguments: ["Book.pkg", "Book"])
  func `each of several concurrent bumps raises the version by one or fails`(_ input: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBookPackage()
    let programs = try (0..<8).map { _ in try work.start([BuiltProgram.path, "bump", input]) }
    let outcomes = try programs.map { try $0.outcome() }
    let raised = outcomes.count { $0.code == 0 }
    #expect(raised > 0)
    #expect(outcomes.allSatisfy { [0, 74, 75].contains($0.code) }, "\(outcomes)")
    let next = try work.iapkg("bump", input, "--dry-run", "--format=json").succeeds().document()
    #expect(next["previousVersion"] == .string("1.\(raised)"))
    #expect(try work.names() == ["Book", "Book.pkg"])
    try work.iapkg("validate", input).succeeds()
  }

  @Test func `a link to a package stays, and its target is replaced`() throws {
    let work = try Workspace()
    try work.makeBookPackage("real.pkg")
    try work.makeLink("Book.pkg", to: "real.pkg")
    try work.iapkg("bump", "Book.pkg").succeeds()
    try work.iapkg("bump", "Book.pkg", "-o", "real.pkg", "--force").fails(73, saying: "never replaced")
    #expect(try work.snapshot()["Book.pkg"] == "link to real.pkg")
    #expect(try work.iapkg("info", "real.pkg", "--format=json").document()["contentVersion"] == "1.1")
    #expect(try work.names() == ["Book.pkg", "real.pkg"])
  }
}
