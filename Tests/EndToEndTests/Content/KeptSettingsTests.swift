import Foundation
import PackageForge
import TestSupport
import Testing

/// Settings in `.iapkg.yml` and `.iapkgignore` files.
@Suite(.waiting) struct KeptSettingsTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook("products/one", product: "com.example.one")
    try work.write("psd", to: "products/one/Contents/art/cover.psd")
    try work.write("psd", to: "products/one/Contents/art/keep.psd")
  }

  private func entries(_ package: String) throws -> String {
    try work.iapkg("info", "--files", package).succeeds().output
  }

  @Test func `excluded files are not checked, packed, listed or compared`() throws {
    try work.iapkg("create", "products/one", "-o", "All.pkg").succeeds()
    try work.write("exclude:\n  - \"*.psd\"\n  - \"!keep.psd\"\n", to: "products/.iapkg.yml")
    try work.iapkg("create", "products/one", "-o", "One.pkg").succeeds()
    #expect(try !entries("One.pkg").contains("cover.psd"))
    #expect(try entries("One.pkg").contains("keep.psd"))
    #expect(try !entries("products/one").contains("cover.psd"))
    try work.iapkg("diff", "One.pkg", "products/one").succeeds()
    try work.iapkg("create", "products/one", "-o", "Two.pkg", "--exclude", "art/").succeeds()
    #expect(try !entries("Two.pkg").contains("art"))
    try work.write("# art\nart\n", to: "products/one/.iapkgignore")
    try work.iapkg("create", "products/one", "-o", "Three.pkg").succeeds()
    #expect(try work.bytes("Three.pkg") == work.bytes("Two.pkg"))
  }

  @Test func `a pattern with a slash is relative to the folder of its settings file`() throws {
    try work.write("exclude: [\"one/Contents/art\", \"/Contents/pages\"]\n", to: "products/.iapkg.yml")
    try work.iapkg("create", "products/one", "-o", "One.pkg").succeeds()
    #expect(try !entries("One.pkg").contains("art") && entries("One.pkg").contains("pages"))
    try work.write("exclude: [\"/Contents/pages\"]\n", to: "products/one/.iapkg.yml")
    try work.iapkg("create", "products/one", "-o", "Two.pkg").succeeds()
    #expect(try entries("Two.pkg").contains("art") && !entries("Two.pkg").contains("pages"))
  }

  @Test func `with --contents, patterns are relative to the content`() throws {
    try work.write("exclude: [\"/art\"]\n", to: "products/one/Contents/.iapkg.yml")
    try work.iapkg(
      "create", "--contents", "products/one/Contents", "--product-id", "a.b", "--content-version", "1",
      "-o", "One.pkg"
    ).succeeds()
    #expect(try !entries("One.pkg").contains("art") && !entries("One.pkg").contains("iapkg.yml"))
  }

  @Test func `ignored findings are listed with their reasons`() throws {
    try work.write("1", to: "products/one/Contents/run.js")
    try work.write("1", to: "products/one/Contents/art/other.js")
    try work.write(
      "ignore:\n  - rule: file/script\n    path: art\n    reason: the app reads it as data\n",
      to: "products/one/.iapkg.yml")
    let output = try work.iapkg("validate", "products/one").exits(0).output
    #expect(output.contains("ignored: 1 finding [file/script]: the app reads it as data\n"))
    #expect(output.contains("Contents/run.js") && output.contains("1 warning, 1 ignored"))
    try work.iapkg("validate", "products/one", "--strict").exits(1)
    try work.remove("products/one/Contents/run.js")
    try work.iapkg("validate", "products/one", "--strict").exits(0)
    try work.iapkg("create", "products/one", "--strict", "-o", "One.pkg").exits(0)
    let json = try work.iapkg("validate", "products/one", "--format=json").exits(0).document()
    #expect(json["packages"]?[0]?["suppressions"]?[0]?["reason"] == "the app reads it as data")
    let sarif = try work.iapkg("validate", "products/one", "--format=sarif").exits(0).document()
    let suppression = sarif["runs"]?[0]?["results"]?[0]?["suppressions"]?[0]
    #expect(suppression?["justification"] == "the app reads it as data")
    #expect(
      try work.iapkg("validate", "products/one", "--format=junit").output.contains(
        "<skipped message=\"ignored: file/script: the app"))
  }

  @Test func `the settings choose the compression unless an option does`() throws {
    try work.write(String(repeating: "text ", count: 2_000), to: "products/one/Contents/a.txt")
    try work.write("compression:\n  \"*.txt\": store\n", to: "products/.iapkg.yml")
    try work.iapkg("create", "products/one", "-o", "One.pkg").succeeds()
    #expect(try !entries("One.pkg").contains("deflated  Contents/a.txt"))
    try work.iapkg("create", "products/one", "-o", "Two.pkg", "--compression", "auto").succeeds()
    #expect(try entries("Two.pkg").contains("deflated  Contents/a.txt"))
  }

  @Test func `release takes the store and the channel from the settings`() throws {
    try work.write("store: ../shop\nchannel: beta\n", to: "products/.iapkg.yml")
    try work.iapkg("release", "products").succeeds()
    #expect(try work.iapkg("catalog", "--from", "shop").succeeds().output.contains("beta"))
    try work.iapkg("release", "products", "--to", "other", "--channel", "stable").succeeds()
    #expect(try work.iapkg("catalog", "--from", "other").succeeds().output.contains("stable"))
    try work.makeBook("products/two", product: "com.example.two")
    try work.write("store: elsewhere\n", to: "products/two/.iapkg.yml")
    try work.iapkg("release", "products").fails(78, saying: "differ in store")
    try work.remove("products/.iapkg.yml")
    try work.iapkg("release", "products/one").fails(64, saying: "there is no store")
  }

  @Test func `folders whose settings name the same store can be released together`() throws {
    try work.makeBook("products/two", product: "com.example.two")
    try work.write("store: ../../shop\nchannel: beta\n", to: "products/one/.iapkg.yml")
    try work.write("store: ../../shop/\nchannel: beta\n", to: "products/two/.iapkg.yml")
    try work.iapkg("release", "products/one", "products/two").succeeds()
    try work.write("store: ../../shop\nchannel: stable\nsign-with: a\n", to: "products/one/.iapkg.yml")
    try work.iapkg("release", "products", "--dry-run").fails(78, saying: "differ in channel")
    try work.iapkg("release", "products", "--dry-run", "--channel", "beta").exits(0)
    try work.iapkg("release", "products", "--channel", "beta").fails(78, saying: "differ in sign-with")
    try work.write("store: other\nchannel: beta\n", to: "products/one/.iapkg.yml")
    try work.iapkg("release", "products").fails(78, saying: "differ in store")
    try work.iapkg("release", "products", "--to", "shop").exits(0)
  }

  @Test func `an unknown key exits with 78, with its line and column`() throws {
    try work.write("exclude: []\nexclud: []\n", to: "products/.iapkg.yml")
    for command in [["validate"], ["create"], ["config"], ["info"], ["release", "--to", "s"]] {
      try work.iapkg(command + ["products/one"])
        .exits(78, saying: "products/.iapkg.yml:2:1: there is no key 'exclud'; did you mean exclude?")
    }
  }

  @Test(
    arguments: [
      "channel: a b", "store: https://me:hunter2@host/shop", "store: https://host/?key=hunter2", "hunter2: x",
    ])
  func `every command refuses invalid settings, without quoting them`(_ line: String) throws {
    try work.write(line + "\n", to: "products/.iapkg.yml")
    for command in [["validate"], ["config"], ["info"], ["create"], ["bump"], ["diff", "products/one"]] {
      let outcome = try work.iapkg(command + ["products/one"]).fails(78, saying: "products/.iapkg.yml:1:")
      #expect(!outcome.errors.contains("hunter2"), "\(command): \(outcome.errors)")
    }
  }

  @Test func `a pattern that matches nothing is reported`() throws {
    try work.write("exclude:\n  - \"*.psd\"\n  - \"*.xcf\"\n", to: "products/one/.iapkg.yml")
    try work.iapkg("create", "products/one", "-o", "One.pkg")
      .exits(0, saying: "warning: products/one/.iapkg.yml:3:5: the pattern '*.xcf' matches nothing")
    // Before the package is written, which fails here.
    try work.iapkg("create", "products/one", "-o", "One.pkg").exits(73, saying: "'*.xcf' matches nothing")
    let validated = try work.iapkg("validate", "products").exits(0)
    #expect(!validated.errors.contains("*.psd") && validated.errors.contains("*.xcf"))
    try work.write("compression: { \"*.xcf\": store }\n", to: "products/one/.iapkg.yml")
    try work.iapkg("validate", "products/one").succeeds()
    try work.iapkg("release", "products/one", "--to", "store").succeeds()
    try work.iapkg("create", "products/one", "-o", "Two.pkg").exits(0, saying: "'*.xcf' matches nothing")
  }

  @Test func `config shows the effective settings and their sources`() throws {
    try work.write("exclude: [\"*.psd\"]\nstore: shop\n", to: "products/.iapkg.yml")
    try work.write("store: s3://bucket\n", to: "products/one/.iapkg.yml")
    let output = try work.iapkg("config", "products/one", "--exclude", "*.tmp").succeeds().output
    #expect(
      output == """
        exclude: *.psd  (products/.iapkg.yml:1:11)
        exclude: *.tmp  (the command line)
        store: s3://bucket  (products/one/.iapkg.yml:1:8)

        """)
    let document = try work.iapkg("config", "products/one", "--format=json").succeeds().document()
    #expect(document["store"]?["value"] == "s3://bucket")
    #expect(document["store"]?["from"]?["line"] == 1)
    #expect(document["channel"] == .null)
    try work.iapkg("config", "nowhere").fails(66)
  }

  @Test func `settings above the repository are not read, and no settings are packed`() throws {
    try work.write("exclude: [\"*.txt\"]\n", to: ".iapkg.yml")
    try work.makeFolder("products/.git")
    try work.write("channel: beta\n", to: "products/one/.iapkg.yml")
    try work.write("x", to: "products/one/.iapkgignore")
    let output = try work.iapkg("config", "products/one").succeeds().output
    #expect(!output.contains("*.txt") && output.contains("beta"))
    #expect(try !entries("products/one").contains("iapkg"))
    try work.iapkg("validate", "products/one", "--strict").exits(0)
  }

  @Test func `a byte order mark and carriage returns are not part of a pattern`() throws {
    try work.write("\u{FEFF}cover.psd\r\n/Contents/pages\r\n", to: "products/one/.iapkgignore")
    try work.iapkg("create", "products/one", "-o", "One.pkg").succeeds()
    #expect(try !entries("One.pkg").contains("cover.psd") && !entries("One.pkg").contains("pages"))
    let patterns = try work.iapkg("config", "products/one", "--format=json").succeeds().document()["exclude"]
    #expect(patterns?.elements.map { $0["pattern"] } == ["cover.psd", "/Contents/pages"])
  }

  @Test func `a pattern of --exclude that matches nothing is a warning`() throws {
    for command in [["create", "-o", "One.pkg"], ["validate"], ["release", "--to", "store"]] {
      let words = command + ["products/one", "--exclude", "*.psd", "--exclude", "*.none"]
      let errors = try work.iapkg(words).exits(0).errors
      #expect(errors == "warning: --exclude: the pattern '*.none' matches nothing\n")
    }
  }
}
