import TestSupport
import Testing

/// The page of `report`; `Scripts/check-page` checks it in a browser.
@Suite(.waiting) struct ContentPageTests {
  @Test func `a page is self-contained and may load nothing`() throws {
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

  @Test func `a page and an overview have the count of excluded files`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.makeBook("Other", product: "com.example.other")
    try work.write("exclude: [\"*.psd\", drafts/]\n", to: "Book/.iapkg.yml")
    try work.write("x", to: "Book/Contents/a.psd")
    try work.write("x", to: "Book/Contents/b.psd")
    try work.write("x", to: "Book/Contents/drafts/c.txt")
    let outcome = try work.iapkg("report", "Book", "-o", "page.html").succeeds()
    #expect(outcome.output.contains(", 2 files and 1 folder excluded"))
    #expect(try work.text("page.html").contains("5, 2 files and 1 folder excluded"))
    try work.iapkg("report", "Book", "Other", "-o", "pages/").succeeds()
    #expect(try work.text("pages/index.html").contains("2 files and 1 folder"))
    #expect(try work.text("pages/com.example.book.html").contains("2 files and 1 folder excluded"))
    #expect(try !work.text("pages/com.example.other.html").contains(" excluded"))
  }

  @Test func `names in a page are escaped and cannot end its data`() throws {
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

  @Test func `a page shows kinds, duplicates and changed files`() throws {
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

  @Test func `info shows the same kinds and duplicates for a package and for its folder`() throws {
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

  @Test func `invalid content gets a page, and a missing input gets none`() throws {
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
    try work.iapkg("report", "Book", "-o", "Book/page.html").fails(73)
    #expect(try work.names(in: "Book") == ["ContentInfo.plist", "Contents"])
  }

  @Test func `a page shows the update size from each release of a store, as outdated does`() throws {
    let work = try Workspace()
    try work.publishThreeBooks()
    let arguments = ["report", "3.pkg", "--against", "store", "-o", "page.html", "--format=json"]
    let updates = try #require(work.iapkg(arguments).succeeds().document()["updates"])
    #expect(updates.elements.map { $0["contentVersion"]?.text } == ["1.2", "1.1", "1.0"])
    #expect(updates[1]?["withdrawn"] == "a page is missing")
    #expect(updates[0]?["withdrawn"] == .null)
    let page = try work.text("page.html")
    #expect(page.contains(#""oldVersion":"1.2""#))
    #expect(page.contains(#""withdrawn":"a page is missing""#))
    // Compares with `outdated`, for an installed version 1.0 and the published package.
    try work.iapkg("fetch", "com.example.book", "--content-version", "1.0", "--from", "store").exits(0)
    try work.iapkg("publish", "3.pkg", "--to", "store").succeeds()
    let outdated = try work.iapkg("outdated", "--format=json").succeeds().document()
    #expect(outdated["products"]?[0]?["transferBytes"] == updates[2]?["transferBytes"])
  }

  @Test func `a page compares with the newest release of a channel, and recognizes moved files`() throws {
    let work = try Workspace()
    try work.publishThreeBooks()
    try work.makeBook("Next", version: "1.2")
    try work.write("page two", to: "Next/Contents/pages/two.txt")
    try work.remove("Next/Contents/cover.txt")
    try work.write("a cover", to: "Next/Contents/front.txt")
    try work.iapkg("report", "Next", "--against", "store", "-o", "page.html", "--quiet").succeeds()
    let page = try work.text("page.html")
    #expect(page.contains(#""added":["Contents/front.txt","Contents/pages/two.txt"]"#))
    #expect(page.contains(#""removed":["Contents/cover.txt","Contents/more-1.txt","Contents/more-2.txt"]"#))
    #expect(page.contains(#""moved":["Contents/front.txt"]"#))
    #expect(page.contains("version/not-raised"))
    let beta = ["report", "Next", "--against", "store", "--channel", "beta", "-o", "beta.html"]
    #expect(
      try work.iapkg(beta).succeeds().output.hasSuffix("has no release of com.example.book yet\n"))
    let same = try work.iapkg("report", "2.pkg", "--against", "store", "-o", "same.html").succeeds()
    #expect(same.output.hasSuffix("\nthe content is identical to 1.2, the newest release\n"))
    #expect(try work.text("beta.html").contains(#""updates":[]"#))
  }

  @Test func `a page lists an empty folder that only the release has`() throws {
    let work = try Workspace()
    try work.makeBook("Old")
    for file in ["full/deep/x", "full-size", "kept/x", "none.txt"] {
      try work.write(file, to: "Old/Contents/\(file)")
    }
    for folder in ["empty", "kept/empty", "none"] { try work.makeFolder("Old/Contents/\(folder)") }
    try work.iapkg("create", "Old", "-o", "1.pkg").exits(0)
    try work.iapkg("publish", "1.pkg", "--to", "store").exits(0)
    for path in ["empty", "full", "full-size", "kept/empty", "none", "none.txt"] {
      try work.remove("Old/Contents/\(path)")
    }
    for against in ["store", "1.pkg"] {
      let page = "\(against).html"
      try work.iapkg("report", "Old", "--against", against, "-o", page).succeeds()
      let removed = ["empty", "full-size", "full/deep/x", "kept/empty", "none", "none.txt"]
      let list = removed.map { "\"Contents/\($0)\"" }.joined(separator: ",")
      #expect(try work.text(page).contains("\"removed\":[\(list)]"))
    }
  }

  @Test func `a baseline must be a valid store, and be signed if --trust requests it`() throws {
    let work = try Workspace()
    try work.publishThreeBooks()
    try work.makeBook("Old")
    let report = ["report", "3.pkg", "-o", "page.html", "--against"]
    let key = "AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    try work.write("ssh-ed25519 \(key) x", to: "key.pub")
    try work.iapkg(report + ["store", "--trust", "key.pub"]).fails(76, saying: "is not signed")
    try work.iapkg(report + ["Old", "--trust", "key.pub"]).fails(64, saying: "--trust is for a store")
    try work.iapkg(report + ["3.pkg", "--channel", "beta"]).fails(64, saying: "--channel is for a store")
    try work.iapkg(report + ["ftp://store"]).fails(64)
    try work.iapkg(report + [""]).fails(64)
    try work.iapkg(report + ["nowhere"]).fails(66)
    try work.write("no archive", to: "No.pkg")
    try work.iapkg("report", "No.pkg", "-o", "page.html", "--against", "store").fails(65)
    let names = try work.names(in: "store/releases/com.example.book")
    let index = try #require(names.first { $0.hasPrefix("1.0-") && $0.hasSuffix(".json") })
    try work.write("{}", to: "store/releases/com.example.book/\(index)")
    try work.iapkg(report + ["store"]).fails(76)
    #expect(!work.exists("page.html"))
  }

  @Test func `a page shows ignored findings with their reasons`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("#!/bin/sh\n", to: "Book/Contents/run.txt")
    try work.write("ignore:\n- rule: file/script\n  reason: <b>\"it\"</b> is shown\n", to: "Book/.iapkg.yml")
    try work.iapkg("report", "Book", "-o", "page.html").succeeds()
    let page = try work.text("page.html")
    #expect(page.contains(#""findings":[]"#))
    #expect(page.contains(#""reason":"\u003cb>\"it\"\u003c/b> is shown""#))
    #expect(page.contains("<strong>0, 1 ignored</strong>"))
    try work.write("exclude: ['*.psd']\n", to: "Book/.iapkg.yml")
    try work.iapkg("report", "Book", "-o", "other.html").exits(
      0, saying: "the pattern '*.psd' matches nothing")
    try work.write("exclud: []\n", to: "Book/.iapkg.yml")
    try work.iapkg("report", "Book", "-o", "none.html").fails(78)
  }
}

extension Workspace {
  /// Builds the packages 0 to 3 of a growing book, versions 1.0 to 1.3, and publishes all but the last; 1.1 is
  /// withdrawn.
  fileprivate func publishThreeBooks() throws {
    for number in 0...3 {
      try makeBook("Book", version: "1.\(number)")
      for index in 1...3 where index <= number {
        try write(String(repeating: "\(index)", count: 9_000 + index), to: "Book/Contents/more-\(index).txt")
      }
      try iapkg("create", "Book", "-o", "\(number).pkg", "--compression", "store").succeeds()
    }
    try iapkg("publish", "0.pkg", "1.pkg", "2.pkg", "--to", "store").succeeds()
    try iapkg("withdraw", "com.example.book", "1.1", "--reason", "a page is missing", "--to", "store")
      .succeeds()
  }
}
