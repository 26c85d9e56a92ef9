import Foundation
import TestSupport
import Testing

/// The output of `status`, also for other users.
@Suite(.waiting) struct StatusTests {
  @Test func `without --verify it says that contents were not checked`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(
      try work.iapkg("status").succeeds().output
        == "com.example.book 1.0 (flat): complete (contents not checked)\n")
    #expect(try work.iapkg("status", "--verify").succeeds().output == "com.example.book 1.0 (flat): intact\n")
    let document = try work.iapkg("status", "--format=json").succeeds().document()
    #expect(document["products"]?[0]?["verified"] == false)
  }

  @Test func `other products are shown past a damaged record`() throws {
    let work = try Workspace()
    for product in ["com.example.a", "com.example.b", "com.example.c"] {
      try work.makeBookPackage("\(product).pkg", product: product)
      try work.iapkg("extract", "\(product).pkg").succeeds()
    }
    try work.write("damaged", to: "Documents/.iapkg/records/com.example.b")
    let outcome = try work.iapkg("status").exits(74, saying: ".iapkg/records/com.example.b is damaged")
    #expect(outcome.output.contains("com.example.a 1.0") && outcome.output.contains("com.example.c 1.0"))
    let document = try work.iapkg("status", "--format=json").exits(74).document()
    #expect(document["products"]?.elements.count == 2)
    #expect(document["error"]?["code"] == 74)
    #expect(document["unread"]?.elements.count == 1)
    try work.iapkg("status", "com.example.c").succeeds()
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `another user sees the state of an interrupted run and changes nothing`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.write("left behind", to: "Documents/.iapkg/staging/file")
    let before = try work.snapshot()
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    try work.iapkg("status", "--verify", through: other).succeeds()
    try work.setPermissions(0o600, of: "Documents/.iapkg/lock")
    try work.iapkg("status", "--verify", through: other).succeeds()
    try work.setPermissions(0o644, of: "Documents/.iapkg/lock")
    #expect(try work.snapshot() == before)
  }

  @Test func `folders above Documents are made if asked for, and not left for nothing`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.write("no archive", to: "bad.pkg")
    let before = try work.snapshot()
    try work.iapkg("extract", "Book.pkg", "--into", "a/b/Documents").fails(73)
    try work.iapkg("extract", "bad.pkg", "--into", "a/b/Documents", "--parents").exits(65)
    #expect(try work.snapshot() == before)
    try work.iapkg("extract", "Book.pkg", "--into", "a/b/Documents", "--parents").succeeds()
    try work.iapkg("status", "--verify", "--into", "a/b/Documents").succeeds()
  }

  @Test func `a missing folder with an odd name is missing, not busy`() throws {
    let work = try Workspace()
    try work.iapkg("status", "--into", "no\u{1B}where").fails(66, saying: "No such file")
  }
}
