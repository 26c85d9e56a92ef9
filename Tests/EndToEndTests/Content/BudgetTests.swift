import Foundation
import PackageForge
import TestSupport
import Testing

/// The size budget of a product, in `.iapkg.yml`.
@Suite(.waiting) struct BudgetTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook("products/book")
    try work.write(Noise.bytes(30_000), to: "products/book/Contents/film.mp4")
    try work.write(Noise.bytes(5_000), to: "products/book/Contents/song.mp3")
  }

  private func budget(_ text: String, ignoring reason: String? = nil) throws {
    let ignored = reason.map { "ignore: [{ rule: size/over-budget, reason: \($0) }]\n" } ?? ""
    try work.write("budget: { \(text) }\n\(ignored)", to: "products/.iapkg.yml")
  }

  /// The commands that check the content, with the same budget.
  private static let commands = [
    ["validate", "products"], ["create", "products", "-o", "made/", "--force"],
    ["release", "products", "--to", "store", "--dry-run"],
  ]

  @Test(
    arguments: [
      (
        "package: 30kB", "the package has ",
        "expected at most 30000 (products/.iapkg.yml:1:20); largest files: "
      ),
      ("file: 20kB", "Contents/film.mp4\n", "the file has 30000 bytes, expected at most 20000"),
      ("files: 3", "the content has 4 files, ", "expected at most 3 (products/.iapkg.yml:1:18)"),
      ("file: { \"*.mp3\": 4kB }", "Contents/song.mp3\n", "the file has 5000 bytes, expected at most 4000"),
    ])
  func `content over its budget is refused by each command`(
    _ text: String, _ found: String, _ expected: String
  ) throws {
    try budget(text)
    for words in Self.commands {
      let outcome = try work.iapkg(words).exits(1)
      let all = outcome.output + outcome.errors
      #expect(all.contains(found) && all.contains(expected), "\(words): \(outcome)")
      #expect(all.contains("[size/over-budget]"))
    }
    #expect(!work.exists("store"))
    try work.iapkg("report", "products", "-o", "pages/").exits(0)
    #expect(try work.text("pages/com.example.book.html").contains("size/over-budget"))
  }

  @Test func `content within its budget is accepted, and the last pattern that matches decides`() throws {
    try budget("package: 40kB, files: 4, file: { \"*\": 6kB, \"*.mp4\": 30kB }, update: 1MB")
    for words in Self.commands { try work.iapkg(words).exits(0) }
    try budget("file: { \"*.mp4\": 30kB, \"*\": 6kB }")
    for words in Self.commands { try work.iapkg(words).exits(1) }
  }

  @Test func `content that compression brings below the budget is accepted`() throws {
    try work.write(String(repeating: "text ", count: 20_000), to: "products/book/Contents/text.txt")
    try budget("package: 40kB")
    for words in Self.commands { try work.iapkg(words).exits(0) }
    try work.iapkg("create", "products", "-o", "made/", "--force", "--compression", "store")
      .exits(1, saying: "[size/over-budget]")
  }

  @Test func `the largest files are named, and those that grew since the newest release`() throws {
    try work.iapkg("release", "products", "--to", "store").succeeds()
    try work.iapkg("create", "products", "-o", "old/").succeeds()
    try work.write(Noise.bytes(9_000), to: "products/book/Contents/song.mp3")
    try work.write(Noise.bytes(2_000), to: "products/book/Contents/new.mp3")
    try work.iapkg("bump", "products/book").succeeds()
    try budget("package: 30kB, update: 10kB, files: 4")
    let largest =
      "largest files: Contents/film.mp4 (30000 bytes), Contents/song.mp3 (9000 bytes), Contents/new.mp3 (2000 bytes)"
    let grown = "; grown since 1.0: Contents/song.mp3 (+4000 bytes), Contents/new.mp3 (+2000 bytes)"
    let update = "an update from 1.0 downloads "
    let different =
      "; largest new and changed files: Contents/song.mp3 (9000 bytes), Contents/new.mp3 (2000 bytes)"
    var sizes: Set<String> = []
    for words in [
      ["validate", "products", "--against", "store"], ["validate", "products", "--against", "old"],
      ["create", "products/book", "--against", "old", "-o", "new.pkg"],
      ["release", "products", "--to", "store"], ["release", "products", "--to", "store", "--dry-run"],
    ] {
      let outcome = try work.iapkg(words + ["--format=json"]).exits(1)
      let text = outcome.output
      for part in [largest, grown, update, different, "; added: 1 since 1.0"] {
        #expect(text.contains(part), "\(words): \(text)")
      }
      sizes.formUnion(text.matches(of: #/downloads (\d+) bytes/#).map { String($0.1) })
    }
    #expect(sizes.count == 1, "all commands have the same size: \(sizes)")
    let size = try #require(sizes.first.flatMap { Int64($0) })
    try budget("update: \(size)")
    try work.iapkg("validate", "products", "--against", "store").exits(0)
    let published = try work.iapkg("release", "products", "--to", "store", "--format=json").exits(0)
      .document()
    #expect(published["published"]?[0]?["updateBytes"]?.integer == size)
  }

  @Test func `nothing of a release over its budget reaches the store`() throws {
    try work.iapkg("release", "products", "--to", "store").succeeds()
    try work.write(Noise.bytes(30_000), to: "products/book/Contents/film.mp4")
    try budget("update: 20kB")
    let before = try work.snapshot("store")
    try work.iapkg("release", "products", "--to", "store", "--bump").exits(1, saying: "[size/over-budget]")
    #expect(try work.snapshot("store") == before)
    #expect(try work.text("products/book/ContentInfo.plist").contains("<string>1.0</string>"))
  }

  @Test func `a first release has no update budget, and an unchanged one no budget`() throws {
    try budget("update: 1kB")
    try work.iapkg("validate", "products").exits(0)
    try work.iapkg("release", "products", "--to", "store").exits(0)
    try work.iapkg("validate", "products", "--against", "store").exits(0)
    try budget("package: 1kB")
    #expect(try work.iapkg("release", "products", "--to", "store").exits(0).output.contains("1 unchanged"))
  }

  @Test func `an ignored excess is reported with its reason, and installers accept it`() throws {
    try budget("package: 1kB, file: 1kB", ignoring: "the launch film")
    for words in Self.commands {
      let outcome = try work.iapkg(words).exits(0)
      #expect((outcome.output + outcome.errors).contains("the launch film"), "\(words): \(outcome)")
      #expect(!outcome.errors.contains("installers"))
    }
    try budget("file: 1kB")
    try work.iapkg("validate", "products", "--ignore", "size/over-budget").exits(0)
    try work.iapkg("release", "products", "--to", "store", "--ignore", "size/over-budget").exits(0)
    try work.iapkg("fetch", "com.example.book", "--from", "store").exits(0)
  }

  @Test func `a pattern of the budget that matches nothing is reported`() throws {
    try budget("file: { \"*.mov\": 4kB, \"*\": 1MB }")
    let warning = "products/.iapkg.yml:1:19: the pattern '*.mov' matches nothing"
    try work.iapkg("validate", "products").exits(0, saying: warning)
  }

  @Test func `with --contents, patterns are relative to the folder`() throws {
    try work.write("budget: { file: { \"/film.mp4\": 1kB } }\n", to: "products/book/Contents/.iapkg.yml")
    try work.iapkg(
      "create", "--contents", "products/book/Contents", "--product-id", "a.b", "--content-version", "1",
      "-o", "One.pkg"
    ).fails(1, saying: "Contents/film.mp4\n", "the file has 30000 bytes")
  }

  @Test func `config shows the budget`() throws {
    try budget("package: 200MB, update: 20MB, files: 5000, file: { \"*.mp4\": 50MB }")
    let output = try work.iapkg("config", "products/book").succeeds().output
    #expect(
      output == """
        budget: package: 200.0 MB  (products/.iapkg.yml:1:20)
        budget: update: 20.0 MB  (products/.iapkg.yml:1:35)
        budget: files: 5000  (products/.iapkg.yml:1:48)
        budget: file: *.mp4: 50.0 MB  (products/.iapkg.yml:1:62)

        """)
    let document = try work.iapkg("config", "products/book", "--format=json").succeeds().document()
    #expect(document["budget"]?["package"]?["value"] == 200_000_000)
    #expect(document["budget"]?["file"]?[0]?["pattern"] == "*.mp4")
    try work.remove("products/.iapkg.yml")
    #expect(
      try work.iapkg("config", "products/book", "--format=json").succeeds().document()["budget"] == .null)
  }
}
