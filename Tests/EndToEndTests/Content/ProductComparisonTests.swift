import Foundation
import PackageForge
import TestSupport
import Testing

/// Folders of products in `diff`, `info`, `validate` and `report`, and findings that name their product.
@Suite(.waiting) struct ProductComparisonTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    for name in ["a", "b", "c"] { try work.makeBook("old/\(name)", product: "com.example.\(name)") }
    for name in ["b", "c", "d"] { try work.makeBook("new/\(name)", product: "com.example.\(name)") }
    try work.write("another cover", to: "new/b/Contents/cover.txt")
  }

  @Test func `folders of products are compared product by product`() throws {
    let outcome = try work.iapkg("diff", "old", "new").exits(
      1, saying: "com.example.b", "[version/not-raised]")
    #expect(outcome.output.contains("com.example.a 1.0: only among the old inputs\n"))
    #expect(
      outcome.output.contains("com.example.b:\n~ Contents/cover.txt\ncom.example.b 1.0 -> 1.0: 0 added"))
    #expect(outcome.output.contains("com.example.c 1.0 -> 1.0: same content\n"))
    #expect(outcome.output.contains("com.example.d 1.0: only among the new inputs, "))
    #expect(outcome.output.hasSuffix("4 products, 1 not raised\n"))
    let document = try work.iapkg("diff", "old", "new", "--format=json").exits(1).document()
    #expect(document["results"]?[0]?["newVersion"] == .null)
    #expect(document["results"]?[1]?["changed"] == .array(["Contents/cover.txt"]))
    #expect(document["results"]?[3]?["oldVersion"] == .null)
    #expect(document["results"]?[4] == nil)
    try work.iapkg("create", "old", "-o", "packages/").exits(0)
    try work.iapkg("bump", "new/b").succeeds()
    try work.iapkg("diff", "packages", "new").exits(0)
    let one = try work.iapkg("diff", "packages", "new/b").exits(0).output
    #expect(one.contains("com.example.b 1.0 -> 1.1") && one.hasSuffix("1 product, all done\n"))
  }

  @Test func `standard input is compared with the package of its product in a folder`() throws {
    try work.iapkg("create", "new", "-o", "packages/").succeeds()
    for (name, code) in [("b", 1), ("c", 0)] as [(String, Int32)] {
      let read = ["sh", "-c", "exec \"$@\" <packages/com.example.\(name)-1.0.pkg", "sh"]
      let outcome = try work.iapkg("validate", "-", "--against", "old", through: read).exits(code)
      #expect(outcome.output.contains("[version/not-raised]") == (code == 1), "\(outcome)")
    }
  }

  @Test func `two packages of one version in a folder are refused, on either side`() throws {
    try work.makeBook("new/twin", product: "com.example.b")
    let sentence =
      "new/b and new/twin both belong to the product com.example.b in version 1.0; leave one of them"
    for sides in [["old", "new"], ["new", "old"], ["new", "old/b"], ["new", "new"]] {
      try work.iapkg(["diff"] + sides).fails(64, saying: sentence)
    }
    let document = try work.iapkg("diff", "old", "new", "--format=json").exits(64).document()
    #expect(document["error"]?["code"] == 64 && document["results"] == nil)
    try work.iapkg("create", "new", "-o", "made/")
      .fails(64, saying: "both belong to the product com.example.b")
    try work.iapkg("bump", "new/twin").succeeds()
    try work.iapkg("diff", "old", "new").exits(
      0, saying: "new/b is not used, because new/twin is version 1.1")
  }

  @Test func `create and bump find their product in a folder of packages, and refuse an empty folder`() throws
  {
    try work.makeBook()
    for product in ["com.example.book", "com.example.other"] {
      try work.makeBookPackage("published/\(product).pkg", product: product)
    }
    try work.iapkg("create", "Book", "--against", "published", "-o", "New.pkg").succeeds()
    try work.write("another cover", to: "Book/Contents/cover.txt")
    try work.iapkg("create", "Book", "--against", "published", "--force").exits(
      1, saying: "[version/not-raised]")
    #expect(
      try work.iapkg("diff", "published", "Book").exits(1).output.hasSuffix("1 product, 1 not raised\n"))
    try work.iapkg("bump", "Book", "--if-changed-from", "published").succeeds()
    #expect(try work.text("Book/ContentInfo.plist").contains("<string>1.1</string>"))
    try work.remove("published/com.example.book.pkg")
    try work.iapkg("bump", "Book", "--if-changed-from", "published")
      .fails(65, saying: "published holds no package or content folder of com.example.book")
    try work.makeFolder("empty")
    for command in [["validate"], ["report", "-o", "page.html"]] {
      try work.iapkg(command + ["Book", "--against", "empty"])
        .exits(65, saying: "empty holds no package or content folder to compare with")
    }
  }

  @Test func `diff, info and report refuse inputs without content`() throws {
    try work.makeFolder("empty")
    try work.makeFolder("other/folder")
    for path in ["empty", "other"] {
      try work.iapkg("diff", path, path).fails(65, saying: "has no ContentInfo.plist")
      try work.iapkg("diff", "old", path).fails(65, saying: "has no ContentInfo.plist")
      try work.iapkg("info", path).fails(65, saying: "has no ContentInfo.plist")
      try work.iapkg("report", path, "-o", "page.html").fails(65, saying: "has no ContentInfo.plist")
    }
    try work.write("bad", to: "old/a/ContentInfo.plist")
    try work.iapkg("diff", "old/a", "old/a").fails(65, saying: "iapkg validate shows the reason")
    try work.iapkg("info", "old/a").fails(65, saying: "iapkg validate shows the reason")
    try work.iapkg("diff", "old", "new").exits(65, saying: "old/a")
    try work.write(ForgedArchive([.file("Contents/a.txt", "a")]), to: "none.pkg")
    try work.iapkg("info", "none.pkg").fails(65)
  }

  @Test func `a folder of packages stands for its packages`() throws {
    try work.iapkg("create", "old", "-o", "packages/").exits(0)
    try work.write("notes", to: "packages/README.md")
    #expect(try work.iapkg("validate", "packages").succeeds().output.hasSuffix("3 inputs, all valid\n"))
    let document = try work.iapkg("info", "packages", "--format=json").succeeds().document()
    #expect(
      document["results"]?.elements.compactMap { $0["kind"]?.text } == ["package", "package", "package"])
  }

  @Test func `validate compares each product with its newest release, or with its package in a folder`()
    throws
  {
    try work.iapkg("release", "old", "--to", "store").exits(0)
    try work.iapkg("create", "old", "-o", "packages/").exits(0)
    for against in ["store", "packages", "old"] {
      let document = try work.iapkg("validate", "new", "--against", against, "--format=json").exits(1)
        .document()
      let packages = document["packages"]?.elements ?? []
      #expect(packages.count == 3)
      #expect(packages.map { $0["findings"]?.elements.count } == [1, 0, 0])
      #expect(packages.first?["findings"]?[0]?["rule"] == "version/not-raised")
    }
    try work.iapkg("bump", "new/b").succeeds()
    for against in ["store", "packages"] {
      #expect(
        try work.iapkg("validate", "new", "--against", against).succeeds().output.hasSuffix(
          "3 inputs, all valid\n"))
    }
    let missing = try work.iapkg("validate", "new", "--against", "nowhere").exits(66)
    #expect(missing.errors.split(separator: "\n").count == 1)
    #expect(missing.output.hasSuffix("3 inputs, all valid, not all compared\n"))
    try work.iapkg("validate", "new", "--against", "old/b")
      .fails(
        64,
        saying:
          "new is a folder of packages or content folders; with --against, name one of them, such as new/b")
    try work.iapkg("create", "new", "--against", "old/b")
      .fails(
        64, saying: "new is a folder of content folders; with --against, name one of them, such as new/b")
  }

  @Test func `a report on several products is an overview, or a folder with a page for each`() throws {
    try work.write(
      String([0x7F, 0x45, 0x4C, 0x46].map { Character(Unicode.Scalar($0)) }), to: "new/d/Contents/tool")
    let outcome = try work.iapkg("report", "new", "--against", "old", "-o", "all.html").exits(0)
    #expect(outcome.output.contains("com.example.b 1.0: "))
    #expect(outcome.output.hasSuffix("all.html (overview of 3 products)\n"))
    #expect(try work.text("all.html").contains("\"name\":\"com.example.d\""))
    try work.iapkg("report", "new", "-o", "pages/").exits(0)
    #expect(
      try work.names(in: "pages")
        == ["com.example.b.html", "com.example.c.html", "com.example.d.html", "index.html"])
    #expect(try work.text("pages/index.html").contains("\"page\":\"com.example.b.html\""))
    for page in ["index.html", "com.example.d.html"] {
      try work.write("mine", to: "other/\(page)")
      try work.iapkg("report", "new", "-o", "other/").fails(73, saying: "other/\(page) exists")
      #expect(try work.names(in: "other") == [page] && work.text("other/\(page)") == "mine")
      try work.remove("other/\(page)")
    }
    try work.iapkg("report", "new", "-o", "pages/").exits(73, saying: "use --force")
    try work.iapkg("report", "new/b", "-o", "pages/", "--force").exits(0)
    try work.iapkg("report", "new/b", "-o", "pages").fails(64, saying: "end its name with /")
    try work.iapkg("report", "new/b").fails(64, saying: "-o report.html")
    let document = try work.iapkg("report", "new", "--against", "old", "-o", "x.html", "--format", "json")
      .exits(0)
      .document()
    #expect(document["results"]?[0]?["previousVersion"] == "1.0")
    #expect(document["results"]?[2]?["previousVersion"] == nil)
    let table = try work.iapkg("report", "new", "--against", "old", "--format", "markdown").exits(0).output
    #expect(table.contains("| product | version | findings |") && table.contains("com&#46;example&#46;b"))
    try work.write("bad", to: "new/c/ContentInfo.plist")
    try work.makeLink("new/b/.iapkg.yml", to: "../nothing.yml")
    #expect(try work.iapkg("report", "new", "-o", "y.html").code != 70)
  }

  @Test func `findings of several packages name their package`() throws {
    for name in ["b", "c"] { try work.write("#!/bin/sh\n", to: "new/\(name)/Contents/run.txt") }
    let made = try work.iapkg("create", "new", "-o", "made/").exits(0)
    #expect(
      made.errors.contains("new/b: Contents/run.txt") && made.errors.contains("new/c: Contents/run.txt"))
    let packages = try work.names(in: "made").sorted().map { "made/\($0)" }
    let document = try work.iapkg(["publish", "--to", "store", "--format=json"] + packages).exits(0)
      .document()
    #expect(document["findings"]?.elements.compactMap { $0["input"]?.text } == Array(packages.prefix(2)))
    let text = try work.iapkg(["publish", "--to", "other"] + packages).exits(0).errors
    #expect(text.contains("\(packages[0]): Contents/run.txt"))
    let released = try work.iapkg("release", "new", "--to", "third", "--format", "json").exits(0).document()
    #expect(released["findings"]?.elements.compactMap { $0["input"]?.text } == ["new/b", "new/c"])
    let checked = try work.iapkg("validate", "new").exits(0).output
    #expect(checked.contains("new/c: Contents/run.txt"))
    let alone = try work.iapkg("publish", packages[0], "--to", "fourth", "--format=json").exits(0).document()
    #expect(alone["findings"]?[0]?["input"] == nil)
    let products = ["com.example.b", "com.example.c"]
    let fetched = try work.iapkg(["fetch", "--from", "store"] + products).exits(0)
    #expect(fetched.errors.contains("com.example.b: Contents/run.txt"))
    let ignoring = try work.iapkg(
      [
        "fetch", "--from", "store", "--into", "Others", "--parents", "--ignore", "file/script",
        "--format=json",
      ] + products
    ).exits(0).document()
    #expect(ignoring["products"]?[0]?["findings"] == .array([]))
  }

  @Test func `errors come first on a page`() throws {
    try work.write("x", to: "new/b/Contents/a.sh")
    try work.makeLink("new/b/Contents/out", to: "../../outside")
    try work.iapkg("report", "new/b", "-o", "page.html").exits(0)
    let page = try work.text("page.html")
    let error = try #require(page.range(of: "\"rule\":\"link/escapes\""))
    let warning = try #require(page.range(of: "\"rule\":\"file/script\""))
    #expect(error.lowerBound < warning.lowerBound)
  }

  @Test func `a report refuses a baseline of another product, as validate does`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Levels", product: "com.example.levels")
    let words = "the published package belongs to the product com.example.levels, expected com.example.book"
    try work.iapkg("validate", "Book", "--against", "Levels").exits(1, saying: words)
    for options in [["-o", "page.html"], ["--format=markdown"], ["-o", "pages/"]] {
      try work.iapkg(["report", "Book", "--against", "Levels"] + options).fails(1, saying: words)
    }
    #expect(try work.names() == ["Book", "Levels"])
  }

  @Test func `a store in place of a baseline is refused with a hint`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("release", "Book", "--to", "store").exits(0)
    for words in [["store", "Book"], ["Book", "store"]] {
      try work.iapkg(["diff"] + words).fails(65, saying: "store is a store", "iapkg validate --against")
    }
    let address = "https://store.example/books"
    let before = try work.snapshot()
    for (store, message) in [("store", "store is a store"), (address, "\(address) is an address")] {
      for words in [
        ["diff", store, "Book"], ["diff", "Book", store], ["create", "Book", "--against", store],
        [
          "create", "--contents", "Book/Contents", "--product-id", "com.example.book", "--content-version",
          "2.0", "--against", store,
        ],
        ["bump", "Book", "--if-changed-from", store],
      ] {
        try work.iapkg(words).fails(65, saying: message, "use iapkg validate --against")
      }
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `a folder without content in place of a baseline is refused`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeFolder("empty")
    for words in [["create", "Book", "--against", "empty"], ["bump", "Book", "--if-changed-from", "empty"]] {
      try work.iapkg(words).fails(65, saying: "empty has no ContentInfo.plist")
    }
  }
}
