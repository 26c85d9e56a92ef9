import TestSupport
import Testing

/// Names are bytes: they are preserved in any locale.
@Suite(.waiting) struct NameTests {
  private static let names = [
    "é/ü.txt", "e\u{301}x/u\u{308}.txt", "日本語/第一章.txt", "emoji 👩‍👩‍👧.png", "with space.txt", "-dash", "#hash",
    "a'b\"c$d`e",
    "100% [x] {y} *?", "ſ", "Ελληνικά", "עברית.txt",
  ]

  @Test(arguments: ["C", "C.UTF-8", "ja_JP.eucJP"])
  func `create and extract preserve names in any locale`(_ locale: String) throws {
    let work = try Workspace()
    for name in Self.names { try work.write(name, to: "Book/Contents/\(name)") }
    let environment = ["LC_ALL": locale]
    try work.iapkg("init", "Book", "--product-id", "com.example.book", environment: environment).succeeds()
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--ignore", "path/confusing", environment: environment)
      .succeeds()
    try work.iapkg("extract", "Book.pkg", "--ignore", "path/confusing", environment: environment).succeeds()
    #expect(try work.snapshot("Documents/com.example.book") == work.snapshot("Book/Contents"))
    let listing = try work.iapkg("info", "--files", "Book.pkg", environment: environment).succeeds().output
    for name in Self.names where !name.hasPrefix("emoji") {
      #expect(listing.contains("  Contents/\(name)\n"))
    }
  }

  @Test func `a package and a folder may have any name`() throws {
    let work = try Workspace()
    for name in ["é 日本", "new\nline", "\u{1B}[31mred", "a\\b"] {
      try work.makeBook(name)
      let path = "./\(name)"
      try work.iapkg("create", path, "-o", "\(path).pkg").succeeds()
      try work.iapkg("validate", path, "\(path).pkg").succeeds()
      try work.iapkg("validate", "--format=json", "\(path).pkg").succeeds()
      try work.iapkg("info", "\(path).pkg").succeeds()
      try work.iapkg("extract", "\(path).pkg", "--into", "\(path) Documents").succeeds()
      try work.iapkg("extract", "\(path).pkg", "--into", "\(path) Documents", "--format=json").succeeds()
      try work.iapkg("bump", "\(path).pkg").succeeds()
      try work.iapkg("bump", path, "--format=json").succeeds()
      try work.iapkg("create", path, "-o", "\(path).pkg").fails(73)
      try work.iapkg("create", path, "-o", "\(path)/none/x.pkg", "--format=json").exits(73)
      try work.iapkg("init", path, "--product-id", "a", "--force").succeeds()
      try work.iapkg("init", path, "--product-id", "a", "--force", "--format=json").succeeds()
      try work.write("x", to: "\(name) Other/a/own")
      try work.iapkg("create", "--dry-run", path).succeeds()
      try work.iapkg("create", path, "-o", "./a.pkg", "--force").succeeds()
      try work.iapkg("extract", "a.pkg", "--into", "\(path) Other").fails(73)
      try work.iapkg("extract", "missing\(name)").fails(66)
      try work.iapkg("create", "x", "y\(name)").exits(66)
      try work.iapkg("create", "x", "--max-size", name).fails(64)
    }
  }

  @Test func `control characters of names are escaped in the output`() throws {
    let work = try Workspace()
    try work.makeBook()
    let names = ["new\nline", "\u{1B}[2Jclear", "bell\u{7}", "c1\u{9B}31m", "tab\there", "back\u{202E}wards"]
    for (number, name) in names.enumerated() {
      try work.write("x", to: "Book/Contents/\(name)")
      try work.makeLink("Book/Contents/link \(number)", to: name)
    }
    try work.iapkg("validate", "Book").exits(1)
    try work.iapkg("validate", "Book", "--format=json").exits(1)
    let outcome = try work.iapkg("create", "Book").fails(1)
    #expect(outcome.errors.contains("Contents/new\\u{000A}line"))
    #expect(outcome.errors.contains("Contents/\\u{001B}[2Jclear"))
    #expect(outcome.errors.contains("Contents/back\\u{202E}wards"))
    #expect(!outcome.errors.unicodeScalars.contains("\u{202E}"))
  }
}
