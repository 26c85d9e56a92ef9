import PackageForge
import TestSupport
import Testing

/// Errors that `--ignore` or the settings suppress: the publisher learns that installers refuse them.
@Suite(.waiting) struct SuppressedErrorTests {
  private static let key =
    "-----BEGIN PRIVATE KEY-----\n"
    + String(repeating: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7/Abc0123456\n", count: 8)
    + "-----END PRIVATE KEY-----\n"
  private static let consequence =
    "installers apply every rule again, and refuse this content without --ignore file/secret"
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
    try work.write(Self.key, to: "Book/Contents/test.pem")
  }

  private func ignoreInSettings() throws {
    try work.write(
      "ignore:\n  - rule: file/secret\n    reason: a key for tests\n", to: "Book/.iapkg.yml")
  }

  @Test(arguments: [
    ["create", "Book", "-o", "New.pkg"], ["release", "Book", "--to", "store"],
    ["import", "Book", "-o", "New.pkg"],
  ])
  func `an error that the settings ignore is a warning with its reason`(_ words: [String]) throws {
    try ignoreInSettings()
    for quiet in [[], ["--quiet"]] {
      try work.iapkg(words + quiet + ["--dry-run"]).exits(
        0, saying: "warning: Contents/test.pem: ", "[file/secret], ignored: a key for tests", Self.consequence
      )
    }
    let ignored = try work.iapkg(words + ["--format=json"]).succeeds().document()["ignored"]
    #expect(ignored?.elements.count == 1)
    #expect(ignored?[0]?["rule"] == "file/secret" && ignored?[0]?["reason"] == "a key for tests")
    #expect(ignored?[0]?["path"] == "Contents/test.pem")
  }

  @Test func `publish warns of errors that installers refuse`() throws {
    try work.iapkg("create", "Book", "--ignore", "file/secret", "-o", "Book.pkg").exits(
      0, saying: "[file/secret], ignored: --ignore", Self.consequence)
    let publish = ["publish", "Book.pkg", "--to", "store"]
    try work.iapkg(publish).fails(1, saying: "[file/secret]")
    try work.iapkg(publish + ["--ignore", "file/secret"]).exits(0, saying: Self.consequence)
    let again = try work.iapkg(publish + ["--ignore", "file/secret", "--format=json"]).succeeds().document()
    #expect(again["ignored"]?[0]?["reason"] == "--ignore")
    try work.iapkg("fetch", "com.example.book", "--from", "store").exits(1, saying: "[file/secret]")
    try work.iapkg("extract", "Book.pkg").exits(1, saying: "[file/secret]")
    try work.iapkg("fetch", "com.example.book", "--from", "store", "--ignore", "file/secret").exits(0)
  }

  @Test func `each error of several folders names its folder`() throws {
    try work.makeBook("Game", product: "com.example.game")
    try ignoreInSettings()
    try work.iapkg("release", "Book", "Game", "--to", "store").exits(
      0, saying: "warning: Book: Contents/test.pem: ")
    let next = try work.iapkg("release", "Book", "Game", "--to", "store").exits(0)
    #expect(!next.errors.contains("file/secret"), "nothing is published: \(next)")
  }

  @Test func `an ignored warning is not printed`() throws {
    try work.remove("Book/Contents/test.pem")
    try work.write("1", to: "Book/Contents/run.js")
    try work.iapkg("create", "Book", "--ignore", "file/script", "-o", "Book.pkg").succeeds()
  }
}
