import Foundation
import PackageForge
import TestSupport
import Testing

/// Commands with several inputs.
@Suite(.waiting) struct SeveralInputTests {
  private let work: Workspace
  private static let products = ["com.example.one", "com.example.two"]

  init() throws {
    work = try Workspace()
    for product in Self.products { try makePackage(product, "1.0") }
  }

  private func makePackage(_ product: String, _ version: String) throws {
    let name = "\(product)-\(version)"
    try work.makeBook(name)
    try work.write(ForgedArchive.manifest(product, version), to: "\(name)/ContentInfo.plist")
    try work.iapkg("create", name, "-o", "\(name).pkg").succeeds()
  }

  private var packages: [String] { Self.products.map { "\($0)-1.0.pkg" } }

  @Test func `commands process all inputs and print one summary`() throws {
    let installed = try work.iapkg(["extract"] + packages).succeeds().output
    #expect(installed.contains("installed com.example.one 1.0"))
    #expect(installed.contains("installed com.example.two 1.0"))
    #expect(installed.hasSuffix("2 inputs, all done\n"))
    #expect(try work.iapkg(["bump"] + packages).succeeds().output.contains("com.example.two 1.0 -> 1.1"))
    #expect(
      try work.iapkg(["extract"] + packages).succeeds().output.contains("com.example.two 1.1 in place of 1.0")
    )
    #expect(
      try work.iapkg(["rollback"] + Self.products).succeeds().output.contains("restored 1.0 in place of 1.1"))
    #expect(try work.iapkg(["remove"] + Self.products).succeeds().output.contains("removed 1.0"))
    #expect(!work.exists("Documents/com.example.one") && !work.exists("Documents/com.example.two"))
  }

  @Test func `a failed input does not stop the others, and the highest exit code counts`() throws {
    try work.write("no package", to: "bad.pkg")
    let inputs = ["bad.pkg", packages[0], "missing.pkg", packages[1]]
    let outcome = try work.iapkg(["extract"] + inputs).exits(66, saying: "missing.pkg", "[archive/not-a-zip]")
    #expect(outcome.output.hasSuffix("4 inputs, 2 failed\n"))
    for product in Self.products { #expect(work.exists("Documents/\(product)")) }
  }

  @Test func `the document has for each input the document of a single run`() throws {
    let alone = try work.iapkg("info", packages[1], "--format=json").succeeds().document()
    let document = try work.iapkg("info", packages[0], "missing.pkg", packages[1], "--format=json")
      .exits(66).document()
    #expect(document["command"] == "info")
    #expect(document["results"]?[0]?["productIdentifier"] == "com.example.one")
    #expect(document["results"]?[1]?["error"]?["code"] == 66)
    #expect(document["results"]?[2]?["archiveBytes"] == alone["archiveBytes"])
    #expect(document["results"]?[3] == nil)
  }

  @Test func `the same product twice is refused before any work`() throws {
    try makePackage("com.example.one", "2.0")
    try work.iapkg("extract", packages[0], packages[1], "com.example.one-2.0.pkg")
      .fails(64, saying: "both belong to the product com.example.one")
    #expect(!work.exists("Documents"))
    try work.iapkg("remove", "com.example.one", "com.example.one")
      .fails(64, saying: "com.example.one is named twice")
    try work.iapkg("rollback", "com.example.one", "com.example.one").fails(64)
    try work.iapkg(["bump", "-o", "out.pkg"] + packages).fails(
      64, saying: "requires exactly one path, found 2")
  }

  /// Writes a package that takes far longer to open than the test needs to see it open.
  private func makeHuge() throws {
    try work.write(
      LargeArchive.bytes((0..<250_000).map { "Contents/folder-\($0 / 1000)/file-\($0)" }), to: "Huge.pkg")
  }

  private static let descriptors = "/proc/self/fd"

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: descriptors), "open files cannot be listed"),
    arguments: ["text", "json"])
  func `an interruption names the inputs whose versions were raised`(_ format: String) throws {
    try makeHuge()
    let program = try work.start([BuiltProgram.path, "bump"] + packages + ["Huge.pkg", "--format", format])
    try Waiting.until { program.hasOpen(work.place("Huge.pkg")) }
    program.running.send(SIGINT)
    let outcome = try program.outcome().exits(-SIGINT)
    let words = "interrupted; 2 of 3 were raised: \(packages[0]), \(packages[1])"
    #expect(outcome.errors == "error: \(words)\n")
    guard format == "json" else { return }
    let results = try #require(try outcome.document()["results"])
    #expect(results.elements.count == 3)
    #expect(results[1]?["contentVersion"] == "1.1")
    #expect(results[2]?["error"]?["code"] == 130)
    #expect(results[2]?["error"]?["message"] == .string(words))
  }

  @Test func `an interruption names the folders that were packed`() throws {
    try work.makeBook("large", product: "com.example.large")
    try work.makeSparseFile("large/Contents/large", bytes: 1_900_000_000)
    let folders = Self.products.map { "\($0)-1.0" }
    let program = try work.start([BuiltProgram.path, "create"] + folders + ["large", "-o", "made/"])
    try Waiting.until { try work.exists("made") && work.names(in: "made").count == 3 }
    program.running.send(SIGINT)
    let outcome = try program.outcome().exits(-SIGINT)
    #expect(
      outcome.errors.hasPrefix("error: interrupted; 2 of 3 were packed: \(folders[0]), \(folders[1])"))
    #expect(try work.names(in: "made").sorted() == packages)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: descriptors), "open files cannot be listed"))
  func `an interruption names the inputs whose pages were made`() throws {
    try makeHuge()
    let words = [BuiltProgram.path, "report"] + packages + ["Huge.pkg", "-o", "pages/", "--format=json"]
    let program = try work.start(words)
    try Waiting.until { program.hasOpen(work.place("Huge.pkg")) }
    program.running.send(SIGINT)
    let outcome = try program.outcome().exits(-SIGINT)
    #expect(
      outcome.errors.hasPrefix("error: interrupted; 2 of 3 were reported: \(packages[0]), \(packages[1])"))
    #expect(try outcome.document()["results"]?[2]?["error"]?["code"] == 130)
    #expect(try work.names(in: "pages").sorted() == Self.products.map { "\($0).html" })
  }
}
