import Foundation
import PackageForge
import TestSupport
import Testing

/// The checks of a pull request, which read the store from a web server.
@Suite(.waiting, .enabled(if: Machine.has("python3"), "python3, which serves, is not installed"))
struct PullRequestTests {
  private let work: Workspace
  private let server: TokenServer

  /// Releases three products to a store that a server offers for reading.
  init() throws {
    work = try Workspace()
    for name in ["one", "three", "two"] {
      try work.makeBook("products/\(name)", product: "com.example.\(name)")
    }
    try work.iapkg("release", "products", "--to", "store").succeeds()
    try work.remove("products/.iapkg-cache")
    server = try TokenServer(work, "store")
  }

  private func run(_ words: [String], _ options: [String]) throws -> Outcome {
    try work.iapkg(words + server.options + options, environment: ["no_proxy": "127.0.0.1"])
  }

  private func dryRun(_ options: String...) throws -> Outcome {
    try run(["release", "products", "--dry-run", "--to", server.address], options)
  }

  private func validate(_ options: String...) throws -> Outcome {
    try run(["validate", "products", "--against", server.address], options)
  }

  @Test func `unchanged products are one line with their count, and nothing is written`() throws {
    let before = try work.snapshot()
    #expect(try dryRun().succeeds().output == "3 products: 3 unchanged\n")
    #expect(
      try validate().succeeds().output
        == "3 inputs unchanged since the published version, and valid\n3 inputs, all valid\n")
    #expect(try work.snapshot() == before)
  }

  @Test func `changed files are listed`() throws {
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try work.write("a page", to: "products/one/Contents/pages/two.txt")
    try work.remove("products/one/Contents/pages/one.txt")
    try work.iapkg("bump", "products/one").succeeds()
    let changes = "  ~ Contents/cover.txt\n  - Contents/pages/one.txt\n  + Contents/pages/two.txt\n"
    let plan = try dryRun().succeeds().output
    #expect(plan.hasSuffix(changes + "3 products: 1 to be published, 2 unchanged\n"), "\(plan)")
    let checked = try validate().succeeds().output
    #expect(checked.contains("products/one: valid (com.example.one 1.1), 3 changes since 1.0, "))
    #expect(checked.contains(changes + "2 inputs unchanged since the published version, and valid\n"))
    for number in 0..<20 { try work.write("\(number)", to: "products/one/Contents/\(number).txt") }
    #expect(try dryRun().succeeds().output.contains("  and 13 more\n3 products"))
  }

  @Test func `one run reports a version that is not raised, a broken rule and an exceeded budget`() throws {
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    for outcome in [try dryRun(), try validate()] {
      #expect((outcome.output + outcome.errors).contains("[version/not-raised]"), "\(outcome)")
      outcome.exits(1)
    }
    try work.makeLink("products/one/Contents/out", to: "../../outside")
    try work.write("budget: { file: 3 }\n", to: "products/one/.iapkg.yml")
    for outcome in [try dryRun(), try validate()] {
      let text = outcome.output + outcome.errors
      for rule in ["[version/not-raised]", "[link/escapes]", "[size/over-budget]"] {
        #expect(text.contains(rule), "\(outcome)")
      }
      outcome.exits(1)
    }
    let document = try dryRun("--format=json").exits(1).document()
    #expect(document["published"]?[0]?["outcome"] == "not-raised")
    try work.iapkg("bump", "products/one").exits(0)
    for rule in ["[link/escapes]", "[size/over-budget]"] {
      #expect(try dryRun().exits(1).errors.contains(rule))
    }
    try work.remove("products/one/Contents/out")
    try work.remove("products/one/.iapkg.yml")
    try dryRun().exits(0)
    try validate().exits(0)
  }

  @Test func `a dry run does not need the key of the settings`() throws {
    try work.write("sign-with: ../secret/key\n", to: "products/.iapkg.yml")
    try work.write("another cover", to: "products/one/Contents/cover.txt")
    try dryRun("--bump").exits(0)
  }

  @Test func `a web server without a catalog is noted, since its address may be wrong`() throws {
    try work.makeFolder("store/empty")
    let words = ["release", "products", "--dry-run", "--to", "\(server.address)/empty"]
    let outcome = try run(words, []).exits(0, saying: "/empty has no catalog.json, so every product is new")
    #expect(outcome.output.contains("3 products: 3 to be published"))
  }

  @Test func `a missing store is reported once`() throws {
    let words = ["validate", "products", "--against", "\(server.address)/empty"]
    let outcome = try run(words, []).exits(66, saying: "has no catalog.json")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    #expect(outcome.output.hasSuffix("3 inputs, all valid, not all compared\n"))
  }
}
