import Foundation
import PackageForge
import TestSupport
import Testing

/// No output replaces an input or becomes part of an input folder, even with `--force`.
@Suite(.waiting) struct InputProtectionTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook("A")
    try work.makeBook("B", version: "1.1")
    try work.makeBookPackage("a.pkg")
    try work.makeBookPackage("b.pkg", version: "1.1")
    try work.makeFolder("folder")
    try work.makeLink("link.pkg", to: "a.pkg")
    try work.makeLink("link.html", to: "A/Contents/new.html")
    try work.makeLink("linked", to: "A")
    try FileManager.default.linkItem(atPath: work.place("a.pkg"), toPath: work.place("hard.pkg"))
    try work.write("x", to: "A/Contents/new.html")
  }

  @Test(
    arguments: [
      ["validate", "a.pkg", "-o", "a.pkg"], ["validate", "a.pkg", "-o", "./a.pkg"],
      ["validate", "a.pkg", "-o", "folder/../a.pkg"], ["validate", "a.pkg", "-o", "link.pkg"],
      ["validate", "a.pkg", "-o", "hard.pkg"], ["validate", "link.pkg", "-o", "a.pkg"],
      ["validate", "b.pkg", "--against", "a.pkg", "-o", "a.pkg"],
      ["validate", "a.pkg", "b.pkg", "--format=json", "-o", "b.pkg"],
      ["report", "a.pkg", "-o", "a.pkg"], ["report", "b.pkg", "--against", "a.pkg", "-o", "a.pkg"],
      ["create", "B", "--against", "a.pkg", "-o", "a.pkg"], ["bump", "a.pkg", "-o", "a.pkg"],
      ["bump", "A/ContentInfo.plist", "-o", "A/ContentInfo.plist"],
      ["import", "a.pkg", "-o", "a.pkg"], ["import", "a.pkg", "-o", "hard.pkg"],
    ])
  func `an input is never replaced`(_ words: [String]) throws {
    let before = try work.snapshot()
    try work.iapkg(words + ["--force"]).exits(73, saying: "which is never replaced")
    #expect(try work.snapshot() == before)
  }

  @Test(
    arguments: [
      ["validate", "A", "-o", "A/Contents/r.txt"], ["validate", "A", "-o", "A/r.txt"],
      ["validate", "B", "--against", "A", "-o", "A/r.txt"], ["validate", "linked", "-o", "A/r.txt"],
      ["validate", "A", "-o", "linked/Contents/r.txt"], ["validate", ".", "-o", "A/r.txt"],
      ["report", "A", "-o", "A/Contents/x.html"], ["report", "A", "-o", "link.html", "--force"],
      ["create", "A", "-o", "A/Contents/x.pkg"], ["create", "A", "-o", "folder/../A/Contents/x.pkg"],
      ["create", "A", "B", "-o", "A/Contents/"], ["create", "A", "B", "-o", "A/packages/"],
      ["create", "--contents", "A", "--product-id", "a", "--content-version", "1", "-o", "A/x.pkg"],
      ["bump", "A", "-o", "A/new.plist"], ["export", "A", "--background-assets", "A/Contents/packs"],
      ["import", "A", "-o", "A/Contents/x.pkg"], ["import", "A", "--folder", "A/Contents/x"],
      ["release", "A", "--to", "A/Contents/store"],
    ])
  func `nothing is written into an input folder`(_ words: [String]) throws {
    let before = try work.snapshot()
    try work.iapkg(words).exits(73, saying: "would lie in")
    #expect(try work.snapshot() == before)
  }

  @Test func `settings, keys and stores that are read are not overwritten`() throws {
    try work.iapkg("create", "A", "-o", "published.pkg").exits(0)
    try work.iapkg("publish", "published.pkg", "--to", "store").exits(0)
    try work.write("channel: stable\n", to: "A/.iapkg.yml")
    try work.write("a key", to: "key.pub")
    let before = try work.snapshot()
    for output in ["A/.iapkg.yml", "store/catalog.json", "store/releases/page", "key.pub"] {
      let comparison = ["--against", "store", "-o", output, "--force"]
      let trust = output == "key.pub" ? ["--trust", "key.pub"] : []
      try work.iapkg(["validate", "A"] + comparison + trust).exits(73)
      try work.iapkg(["report", "A"] + comparison + trust).exits(73)
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `default output names do not lead into an input`() throws {
    let inside = ["sh", "-c", "cd \"$1\" && shift && exec \"$0\" \"$@\""]
    func run(in folder: String, _ words: String...) throws -> Outcome {
      try work.run([inside[0], inside[1], inside[2], BuiltProgram.path, folder] + words)
    }
    try work.iapkg("create", "A").exits(0)
    let before = try work.snapshot()
    try work.iapkg("create", "A", "--against", "com.example.book-1.0.pkg", "--force")
      .exits(73, saying: "which is never replaced")
    try run(in: "A", "create", ".").exits(73, saying: "would lie in")
    try run(in: "A/Contents", "create", "..").exits(73, saying: "would lie in")
    try run(in: "A/Contents", "import", "..").exits(73, saying: "would lie in")
    #expect(try work.snapshot() == before)
  }

  @Test func `a file at standard input is not replaced`() throws {
    let before = try work.bytes("a.pkg")
    let words = ["sh", "-c", "exec \"$0\" validate - -o a.pkg --force < a.pkg", BuiltProgram.path]
    try work.run(words).exits(73, saying: "never replaced")
    #expect(try work.bytes("a.pkg") == before)
  }

  @Test func `outputs made from a store do not replace its documents`() throws {
    try work.iapkg("publish", "a.pkg", "--to", "store").exits(0)
    let stored = try #require(try work.snapshot("store").keys.first { $0.hasSuffix(".pkg") })
    let before = try work.snapshot("store")
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "store/catalog.json", "--force").exits(73)
    try work.iapkg("fetch", "com.example.book", "--from", "store", "-o", "store/\(stored)", "--force").exits(
      73)
    #expect(try work.snapshot("store") == before)
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "store/index.html").exits(0)
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "store/index.html", "--force").exits(0)
  }

  @Test func `other outputs are replaced with --force`() throws {
    try work.iapkg("validate", "a.pkg", "-o", "folder/r.txt").exits(0)
    try work.iapkg("validate", "a.pkg", "-o", "folder/r.txt", "--force").exits(0)
    try work.iapkg("create", "A", "-o", "folder/x.pkg").exits(0)
    try work.iapkg("create", "A", "-o", "folder/x.pkg", "--force").exits(0)
    try work.iapkg("validate", ".", "-o", "r.txt").exits(0)
  }
}
