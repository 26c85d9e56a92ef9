import PackageForge
import TestSupport
import Testing

/// Content that the settings exclude.
@Suite(.waiting) struct ExclusionTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write(ForgedArchive.manifest("com.example.book", "1.0"), to: "Book/ContentInfo.plist")
    try work.makeFolder("Book/Contents")
  }

  @Test(arguments: [".DS_Store", "a.dat~", "._a.dat", "link"])
  func `junk or a link does not hide that all content is excluded`(_ rest: String) throws {
    try work.write("a", to: "Book/Contents/a.dat")
    try work.iapkg("release", "Book", "--to", "store").succeeds()
    try work.write("exclude: [\"*.dat\"]\n", to: ".iapkg.yml")
    if rest == "link" {
      try work.makeLink("Book/Contents/link", to: "a.dat")
    } else {
      try work.write("x", to: "Book/Contents/\(rest)")
    }
    for words in [
      ["release", "--to", "store", "--bump"], ["create"], ["validate"], ["info"], ["import"],
      ["export", "--background-assets", "packs"],
    ] {
      try work.iapkg(words + ["Book"]).exits(78, saying: "no item of Book remains")
    }
    #expect(try work.names(in: "store/releases/com.example.book").count == 3)
  }

  @Test func `an import that excludes all content is an error`() throws {
    try work.write(ForgedArchive.book(), to: "Book.pkg")
    try work.write("exclude: [\"*.txt\"]\n", to: ".iapkg.yml")
    try work.iapkg("import", "Book.pkg", "--folder", "New").exits(78, saying: "no item of Book.pkg remains")
    #expect(!work.exists("New"))
  }

  @Test(arguments: [["Contents"], ["contents"], []])
  func `patterns hide no finding of a folder without content`(_ folders: [String]) throws {
    try work.remove("Book/Contents")
    for folder in folders { try work.makeFolder("Book/\(folder)") }
    let expected = try work.rules(in: "Book", "--strict").sorted()
    try work.write("exclude: [README.md, .DS_Store, notes/]\n", to: "Book/.iapkg.yml")
    try work.write("x", to: "Book/README.md")
    try work.write("x", to: "Book/notes/a.txt")
    try work.write("x", to: "Book/notes/.DS_Store")
    #expect(!expected.isEmpty)
    #expect(try work.rules(in: "Book", "--strict").sorted() == expected)
  }

  @Test func `every command counts the excluded files and folders`() throws {
    try work.write("1", to: "Book/Contents/1.txt")
    try work.write("2", to: "Book/Contents/2.txt")
    try work.write("3", to: "Book/Contents/3.txt")
    try work.write("4", to: "Book/Contents/drafts/4.txt")
    try work.write("exclude: [3.txt, drafts/]\n", to: "Book/.iapkg.yml")
    try work.iapkg("create", "Book", "-o", "Old.pkg").succeeds()
    let words = "1 file and 1 folder excluded"
    let commands = [
      ["create", "Book", "--dry-run"], ["validate", "Book"], ["info", "Book"], ["diff", "Old.pkg", "Book"],
      ["import", "Book", "-o", "New.pkg"], ["import", "Book", "--folder", "New"],
      ["export", "Book", "--background-assets", "packs"], ["report", "Book", "-o", "page.html"],
      ["release", "Book", "--to", "store", "--dry-run"], ["release", "Book", "--to", "store"],
    ]
    for command in commands {
      #expect(try work.iapkg(command).exits(0).output.contains(words), "\(command)")
    }
    for path in ["New", "New.pkg", "packs", "page.html"] { try work.remove(path) }
    for command in commands {
      let text = try work.iapkg(command + ["--format=json"]).exits(0).output.filter { !$0.isWhitespace }
      #expect(text.contains(#""leftOut":{"files":1,"folders":1}"#), "\(command): \(text)")
    }
  }

  @Test func `import lists the items that it drops`() throws {
    try work.write(
      ForgedArchive([
        .file("__MACOSX/._book", "x"), .file("book/META-INF/a", "x"),
        .file("book/ContentInfo.plist", ForgedArchive.manifest("com.example.book", "1.0")),
        .folder("book/Contents/"), .file("book/Contents/a.dat", "a"), .folder("book/Contents/drafts/"),
        .file("book/Contents/drafts/c.dat", "c"), .file("book/Contents/b.txt", "b"),
      ]), to: "book.zip")
    try work.write("exclude: [\"*.txt\", drafts/]\n", to: ".iapkg.yml")
    let outcome = try work.iapkg("import", "book.zip", "--folder", "New", "--format=json").exits(0)
    let dropped = try outcome.document()["dropped"]
    let expected = ["__MACOSX", "book/META-INF", "book/Contents/b.txt", "book/Contents/drafts"]
    #expect(dropped == .array(expected.map(JSON.string)))
    try work.remove("New")
    try work.iapkg("import", "book.zip", "--folder", "New")
      .exits(0, saying: "omitted: __MACOSX, book/META-INF")
  }

  @Test func `settings may begin with a byte order mark`() throws {
    try work.write("\u{FEFF}channel: beta\n", to: "Book/.iapkg.yml")
    let outcome = try work.iapkg("config", "Book").succeeds()
    #expect(outcome.output.contains("channel: beta  (Book/.iapkg.yml:1:10)"), "\(outcome)")
    try work.write("\u{FEFF}chanel: beta\n", to: "Book/.iapkg.yml")
    try work.iapkg("config", "Book").exits(78, saying: "Book/.iapkg.yml:1:1: there is no key 'chanel'")
  }

  @Test func `a pattern of ignore or compression must not begin with an exclamation mark`() throws {
    for (text, place) in [
      ("compression: { \"!*.txt\": store }\n", "1:16"),
      ("ignore:\n  - { rule: file/script, path: \"!a.js\", reason: x }\n", "2:32"),
    ] {
      try work.write(text, to: "Book/.iapkg.yml")
      try work.iapkg("validate", "Book")
        .exits(78, saying: "Book/.iapkg.yml:\(place): the pattern '!", "begins with '!'")
    }
    try work.write("a", to: "Book/Contents/!a.txt")
    try work.write("compression: { '\\!*.txt': store }\n", to: "Book/.iapkg.yml")
    try work.iapkg("create", "Book", "-o", "New.pkg").succeeds()
  }
}
