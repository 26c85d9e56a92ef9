import TestSupport
import Testing

/// The page of `catalog --html`; `Scripts/check-page` checks it in a browser.
@Suite(.waiting) struct CatalogPageTests {
  private let work: Workspace

  /// A store with two products. One has two releases, the first of which is withdrawn.
  init() throws {
    work = try Workspace()
    try work.makeBookPackage("1.pkg", version: "1.0")
    try work.makeBook("Book", version: "1.1")
    try work.write(String(repeating: "0123456789", count: 1_000), to: "Book/Contents/more.txt")
    try work.iapkg("create", "Book", "-o", "2.pkg", "--compression", "store").succeeds()
    try work.makeBookPackage("other.pkg", product: "com.example.other")
    try work.iapkg("publish", "1.pkg", "2.pkg", "other.pkg", "--to", "store").succeeds()
    try work.iapkg(
      "withdraw", "com.example.book", "1.0", "--to", "store", "--reason", "</script><b>\u{202E}\"it\" & more"
    ).succeeds()
  }

  @Test func `the page of a store is self-contained, and escapes all text`() throws {
    let outcome = try work.iapkg("catalog", "--from", "store", "--html", "-o", "page.html").succeeds()
    #expect(outcome.output == "Wrote page.html (2 products of catalog 2)\n")
    let page = try work.text("page.html")
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
    for word in [" src=", " href=", "@import", "url(", "fetch(", "import("] { #expect(!page.contains(word)) }
    #expect(page.contains("<strong>no key</strong>"))
    #expect(!page.contains("</script><b>"))
    #expect(page.contains("\\u003c/script>\\u003cb>"))
    #expect(!page.contains("\u{202E}"))
    #expect(!page.contains(work.path))
  }

  @Test func `the page shows the update size that the publication reported`() throws {
    try work.write("more", to: "Book/Contents/other.txt")
    try work.iapkg("bump", "Book").succeeds()
    let published = try work.iapkg("release", "Book", "--to", "store", "--format=json").succeeds().document()
    let bytes = try #require(published["published"]?[0]?["updateBytes"])
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "page.html", "--quiet").succeeds()
    let page = try work.text("page.html")
    guard case .integer(let number) = bytes else { return #expect(Bool(false), "updateBytes is \(bytes)") }
    #expect(page.contains(#""previousVersion":"1.1""#))
    #expect(page.contains("\"updateBytes\":\(number)"))
    #expect(page.contains(#""previousVersion":null"#))
  }

  @Test func `the page of a store needs an output file, and overwrites one only with --force`() throws {
    let catalog = ["catalog", "--from", "store"]
    try work.iapkg(catalog + ["--html"]).fails(64, saying: "--html requires")
    try work.iapkg(catalog + ["-o", "page.html"]).fails(64, saying: "requires --html")
    let arguments = catalog + ["--html", "-o", "store/page.html"]
    try work.iapkg(arguments).succeeds()
    try work.iapkg(arguments).fails(73)
    try work.iapkg(arguments + ["--force", "com.example.other"]).succeeds()
    #expect(try !work.text("store/page.html").contains("com.example.book"))
    let page = try work.iapkg(catalog + ["--html", "-o", "-"]).exits(0, saying: "2 products of catalog 2")
    #expect(page.output.hasPrefix("<!DOCTYPE html>"))
    // A page beside the catalog does not interfere.
    try work.iapkg("catalog", "prune", "--to", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store").succeeds()
    #expect(work.exists("store/page.html"))
  }

  @Test func `a missing index is an error, and no page is written`() throws {
    let names = try work.names(in: "store/releases/com.example.other")
    try work.remove("store/releases/com.example.other/\(#require(names.first { $0.hasSuffix(".json") }))")
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "page.html")
      .fails(69, saying: "a new catalog without its objects")
    #expect(!work.exists("page.html"))
  }
}
