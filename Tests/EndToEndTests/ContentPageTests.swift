import Testing

/// The page that `report` makes; `Scripts/check-page` looks at it in a browser.
@Suite(.waiting) struct ContentPageTests {
  @Test func `a page has everything in it, and may load nothing`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("report", "Book", "-o", "page.html").succeeds()
    let page = try work.text("page.html")
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
    for word in [" src=", " href=", "@import", "url(", "fetch(", "import("] { #expect(!page.contains(word)) }
    #expect(page.contains("[\"Contents/cover.txt\",7,7]"))
    try work.iapkg("report", "Book", "-o", "page.html").fails(73)
    try work.iapkg("report", "Book", "-o", "again.html").succeeds()
    #expect(try work.text("again.html") == page)
  }

  @Test func `names in a page are text and cannot end its data`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("x", to: "Book/Contents/<script>alert(1)<")
    try work.write("x", to: "Book/Contents/a\u{202E}\"'&b")
    try work.iapkg("report", "Book", "-o", "page.html").succeeds()
    let page = try work.text("page.html")
    #expect(page.contains("Contents/\\u003cscript>alert(1)\\u003c"))
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("\u{202E}"))
  }

  @Test func `a page tells kinds, duplicates and what an update downloads again`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Old.pkg").succeeds()
    try work.write("a cover", to: "Book/Contents/copy.TXT")
    try work.write("a c0ver", to: "Book/Contents/other")
    try work.remove("Book/Contents/pages/one.txt")
    try work.iapkg("bump", "Book").succeeds()
    try work.iapkg("report", "Book", "--against", "Old.pkg", "-o", "page.html").succeeds()
    let page = try work.text("page.html")
    #expect(
      page.contains(
        #""duplicates":[{"costBytes":7,"count":2,"paths":["Contents/copy.TXT","Contents/cover.txt"],"size":7}]"#
      ))
    #expect(page.contains(#"{"compressedSize":14,"files":2,"kind":"txt","size":14}"#))
    #expect(page.contains(#""added":["Contents/copy.TXT","Contents/other"]"#))
    #expect(page.contains(#""removed":["Contents/pages/one.txt"]"#))
    #expect(page.contains(#""oldVersion":"1.0""#))
  }

  @Test func `info tells the same kinds and duplicates, of a package and of its folder`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("a cover", to: "Book/Contents/copy.txt")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    for input in ["Book", "Book.pkg"] {
      let document = try work.iapkg("info", input, "--format=json").succeeds().document()
      #expect(document["duplicates"]?[0]?["paths"] == .array(["Contents/copy.txt", "Contents/cover.txt"]))
      #expect(document["byKind"]?[1]?["kind"] == "txt")
      #expect(document["byKind"]?[1]?["files"] == 3)
    }
  }

  @Test func `a page is made of what is rejected, and not of what cannot be read`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeLink("Book/Contents/out", to: "../../outside")
    try work.iapkg("report", "Book", "-o", "page.html").succeeds()
    #expect(try work.text("page.html").contains("link/escapes"))
    try work.write("no archive", to: "No.pkg")
    try work.iapkg("report", "No.pkg", "-o", "no.html").succeeds()
    #expect(try work.text("no.html").contains("archive/not-a-zip"))
    try work.iapkg("report", "missing", "-o", "missing.html").fails(66)
    #expect(!work.exists("missing.html"))
    try work.iapkg("report", "Book", "-o", "none/page.html").fails(73)
  }
}
