import Foundation
import PackageForge
import TestSupport
import Testing

/// Folders that contain content folders.
struct CollectionTests {
  private let work: Workspace
  private static let names = ["one", "two"]

  init() throws {
    work = try Workspace()
    for name in Self.names { try work.makeBook("products/\(name)", product: "com.example.\(name)") }
    try work.write("no product", to: "products/README.md")
    try work.makeFolder("products/tools")
  }

  @Test func `a folder stands for the content folders in it`() throws {
    let output = try work.iapkg("validate", "products").succeeds().output
    #expect(output.contains("products/one: valid (com.example.one 1.0)"))
    #expect(output.hasSuffix("2 inputs, all valid\n"))
    let document = try work.iapkg("info", "products", "--format=json").succeeds().document()
    #expect(
      document["results"]?.elements.compactMap { $0["productIdentifier"]?.text } == [
        "com.example.one", "com.example.two",
      ])
    #expect(document["results"]?[0]?["kind"] == "folder")
    #expect(document["results"]?[0]?["archiveBytes"] == .null)
    try work.iapkg("bump", "products").succeeds()
    #expect(try work.text("products/two/ContentInfo.plist").contains("1.1"))
  }

  @Test func `a folder is reported as a list even if it holds only one content folder`() throws {
    try work.remove("products/two")
    let document = try work.iapkg("info", "products/", "--format=json").succeeds().document()
    #expect(document["results"]?[0]?["path"] == "products/one")
    #expect(try work.iapkg("info", "products/one", "--format=json").document()["results"] == nil)
  }

  @Test func `packages go into the folder of --output, which is created`() throws {
    try work.iapkg("create", "products", "-o", "out/", "--dry-run").succeeds()
    #expect(!work.exists("out"))
    try work.iapkg("create", "products", "-o", "out/").succeeds()
    #expect(try work.names(in: "out") == ["com.example.one-1.0.pkg", "com.example.two-1.0.pkg"])
    let outcome = try work.iapkg("create", "products", "-o", "out/").exits(73, saying: "exists; use --force")
    #expect(outcome.output.hasSuffix("2 inputs, 2 failed\n"))
    try work.iapkg("create", "products/one", "-o", "out/", "--force").succeeds()
  }

  @Test func `parent folders of --output are created too, and removed if no package is written`() throws {
    try work.iapkg("create", "products", "-o", "a/b/", "--dry-run").succeeds()
    #expect(!work.exists("a"))
    try work.iapkg("create", "products", "-o", "a/b/").succeeds()
    #expect(try work.names(in: "a/b").count == 2)
    try work.iapkg("report", "products", "-o", "c/d/").exits(0)
    #expect(work.exists("c/d/index.html"))
    for name in Self.names { try work.write("bad", to: "products/\(name)/ContentInfo.plist") }
    try work.iapkg("create", "products", "-o", "e/f/").exits(1)
    #expect(!work.exists("e"))
  }

  @Test func `export accepts a folder of products`() throws {
    try work.makeBookPackage("products/Three.pkg", product: "com.example.three")
    try work.iapkg("export", "products", "--background-assets", "Packs").succeeds()
    #expect(
      try work.names(in: "Packs") == [
        ".iapkg-packs.json", "com-example-one", "com-example-two", "com-example-three",
      ])
    try work.iapkg("export", "products", "--background-assets", "More", "--asset-pack-id", "x").exits(
      64, saying: "products is a folder of packages or content folders")
  }

  @Test func `links to packages are reported, because they are not followed`() throws {
    try work.makeBookPackage()
    try work.makeFolder("links")
    try work.makeLink("links/Book.pkg", to: "../Book.pkg")
    try work.iapkg("validate", "links").fails(
      65, saying: "links/Book.pkg is a symbolic link to a package, and links are not followed")
    try work.makeLink("products/Book.pkg", to: "../Book.pkg")
    try work.iapkg("validate", "products").exits(
      0, saying: "products/Book.pkg is a symbolic link to a package")
  }

  @Test func `content folders one level deeper are reported, because they are not read`() throws {
    try work.makeBook("products/levels/three", product: "com.example.three")
    try work.makeBook("products/levels/four", product: "com.example.four")
    let found = "products/levels contains content folders, which are not read; give its own path"
    for words in [
      ["validate", "products"], ["info", "products"], ["create", "products", "-o", "out/"],
      ["release", "products", "--to", "store"], ["export", "products", "--background-assets", "Packs"],
    ] {
      let outcome = try work.iapkg(words).exits(0)
      #expect(outcome.errors.split(separator: "\n").filter { $0.contains(found) }.count == 1, "\(outcome)")
    }
    try work.iapkg("validate", "products", "products/levels", "--quiet").succeeds()
  }

  @Test func `with --quiet only invalid inputs are listed`() throws {
    try work.write("MZ", to: "products/one/Contents/library.so", permissions: 0o755)
    try work.write("bad", to: "products/two/ContentInfo.plist")
    let outcome = try work.iapkg("validate", "products", "--quiet").exits(1)
    #expect(outcome.output.contains("products/two: not valid") && !outcome.output.contains("products/one"))
    let summary = try work.iapkg("validate", "products", "--quiet", "-o", "report.txt").exits(1)
    #expect(summary.errors.contains("products/two: not valid") && !summary.errors.contains("products/one"))
    #expect(try work.text("report.txt").contains("products/one: valid"))
  }

  @Test func `the folder of --output is removed if no package is written`() throws {
    for name in Self.names { try work.write("bad", to: "products/\(name)/ContentInfo.plist") }
    try work.iapkg("create", "products", "-o", "out/").exits(1)
    #expect(!work.exists("out"))
  }

  @Test func `one content folder that fails does not stop the others`() throws {
    try work.write("bad", to: "products/one/ContentInfo.plist")
    let outcome = try work.iapkg("create", "products").exits(1, saying: "[manifest/unreadable]")
    #expect(outcome.output.hasSuffix("2 inputs, 1 failed\n"))
    #expect(work.exists("com.example.two-1.0.pkg"))
  }

  @Test func `options for one package are refused for several`() throws {
    try work.iapkg("create", "products", "-o", "all.pkg").fails(64, saying: "expected a folder")
    try work.iapkg("create", "products", "-o", "-").fails(64, saying: "expected a folder")
    try work.iapkg("create", "products", "--against", "old.pkg")
      .fails(64, saying: "name one of them, such as products/one")
  }

  @Test func `the same product twice is refused, and never becomes one file`() throws {
    try work.makeBook("products/two", product: "com.example.one")
    try work.iapkg("create", "products", "--force").fails(
      64, saying: "both belong to the product com.example.one")
    try work.iapkg("validate", "products")
      .exits(0, saying: "products/one and products/two both belong to the product com.example.one")
  }

  @Test func `a damaged content folder is not taken for a folder of content folders`() throws {
    try work.makeBook("Outer")
    try work.makeBook("Outer/Contents/inner")
    #expect(try work.iapkg("info", "Outer").succeeds().output.contains("com.example.book"))
    try work.remove("Outer/ContentInfo.plist")
    try work.iapkg("validate", "Outer").exits(1)
  }

  @Test func `every finding is shown with --all`() throws {
    for number in 1...20 { try work.write("echo", to: "products/one/Contents/\(number).sh") }
    let folded = try work.iapkg("validate", "products/one").output
    #expect(folded.contains("17 more like this") && !folded.contains("Contents/9.sh"))
    let all = try work.iapkg("validate", "--all", "products/one").output
    #expect(!all.contains("more like this") && all.contains("Contents/9.sh"))
    let made = try work.iapkg("create", "--all", "products/one").exits(0)
    #expect(made.errors.contains("Contents/9.sh"))
  }

  @Test(arguments: [("list", "info"), ("verify", "validate"), ("install", "extract")])
  func `the command names of other tools suggest the command`(_ word: String, _ command: String) throws {
    try work.iapkg(word, "products").fails(64, saying: "did you mean \(command)?")
  }
}
