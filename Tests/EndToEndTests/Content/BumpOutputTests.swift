import Foundation
import PackageForge
import TestSupport
import Testing

/// `bump` restores the versions if its report cannot be written, so that a retry raises them only once.
@Suite(.waiting, .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
struct BumpOutputTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook("products/Book")
    try work.makeBook("products/Game", product: "com.example.game")
    try work.makeBookPackage()
  }

  @Test(arguments: [
    ["Book.pkg"], ["products/Book"], ["products/Book/ContentInfo.plist"], ["products"],
    ["products", "Book.pkg"], ["products", "--format=json"], ["Book.pkg", "--quiet", "--format=json"],
  ])
  func `a report that cannot be written restores the versions`(_ words: [String]) throws {
    let before = try work.snapshot()
    let outcome = try work.iapkg(["bump"] + words, output: "/dev/full").exits(
      74, saying: "has its previous version again, so try again", "cannot write to standard output")
    #expect(!outcome.errors.contains("the work is done"), "\(outcome)")
    #expect(try work.snapshot() == before)
    try work.iapkg(["bump"] + words).exits(0)
    let raised = try work.snapshot().filter { before[$0.key] != $0.value }
    #expect(!raised.isEmpty && raised.count <= words.count + 1, "\(raised.keys)")
  }

  @Test func `without a report the raised version stays`() throws {
    try work.iapkg("bump", "Book.pkg", "--quiet", output: "/dev/full").exits(0)
    try work.iapkg("bump", "Book.pkg", "--dry-run", output: "/dev/full").exits(74)
    #expect(try work.iapkg("info", "Book.pkg").output.contains("1.1"))
    #expect(try work.names() == ["Book.pkg", "products"])
  }
}
