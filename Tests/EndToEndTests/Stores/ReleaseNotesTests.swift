import Foundation
import PackageForge
import TestSupport
import Testing

/// The notes, the metadata and the app versions of a release.
@Suite(.waiting) struct ReleaseNotesTests {
  private let work: Workspace
  private let product = "com.example.book"
  private static let folder = "store/releases/com.example.book"

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] { try work.makeBookPackage("\(version).pkg", version: version) }
    try work.write("# New\n\n- a <b>chapter</b>\n", to: "en.md")
    try work.write("Neu: ein Kapitel\n", to: "de.txt")
  }

  private func publish(_ version: String, _ options: String...) throws -> Outcome {
    try work.iapkg(["publish", "\(version).pkg", "--to", "store"] + options)
  }

  private func publishNotes(_ version: String = "1.0") throws {
    try publish(version, "--notes", "en=en.md", "--notes", "de=de.txt").succeeds()
  }

  private func release() throws -> JSON? {
    try work.iapkg("catalog", product, "--from", "store", "--format=json").succeeds().document()["products"]?[
      0]?[
        "releases"]?[0]
  }

  /// Returns the paths of the notes in the store, Markdown first.
  private func objects() throws -> [String] {
    try work.names(in: Self.folder).filter { $0.hasSuffix(".md") || $0.hasSuffix(".txt") }
      .sorted { $0.hasSuffix(".md") && !$1.hasSuffix(".md") }.map { "\(Self.folder)/\($0)" }
  }

  // MARK: Publishing

  @Test func `notes are separate objects, named by their digests`() throws {
    try publishNotes()
    #expect(try objects().map(work.text) == ["# New\n\n- a <b>chapter</b>\n", "Neu: ein Kapitel\n"])
    let release = try #require(try release())
    #expect(release["notes"]?[0]?["language"] == "en" && release["notes"]?[1]?["language"] == "de")
    #expect(release["notes"]?[0]?["type"] == "text/markdown" && release["notes"]?[1]?["type"] == "text/plain")
    let path = try #require(release["notes"]?[0]?["path"]?.text)
    #expect(try objects().first == "store/\(path)")
    let list = try #require(try work.names(in: "store/products/com.example.book").first)
    let text = try work.text("store/products/com.example.book/\(list)")
    #expect(text.contains(#""notes":{"en":{"path":"releases/com.example.book/1.0-"#))
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test(arguments: [
    ["--notes", "key.md"], ["--notes", "en=en.md", "--notes", "de=key.txt"],
    ["--metadata", "key=\(key.replacing("\n", with: " "))"],
  ])
  func `notes and metadata with a private key are refused`(_ options: [String]) throws {
    try work.write("# New\n\n\(Self.key)", to: "key.md")
    try work.write("> " + Self.key.replacing("\n", with: "\n> "), to: "key.txt")
    try work.makeBook()
    let before = try work.snapshot()
    for words in [["publish", "1.0.pkg"], ["release", "Book"]] {
      for option in [[], ["--dry-run"]] {
        try work.iapkg(words + ["--to", "store"] + options + option)
          .fails(1, saying: "[file/secret]", "contains a private key")
        #expect(try work.snapshot() == before)
      }
    }
    try work.iapkg(["publish", "1.0.pkg", "--to", "store", "--ignore", "file/secret"] + options).succeeds()
  }

  @Test func `an incomplete private key in notes is a warning`() throws {
    try work.write("-----BEGIN PRIVATE KEY-----\n\(Self.base64)\n", to: "some.md")
    try publish("1.0", "--notes", "some.md", "--strict").fails(1, saying: "[file/secret]")
    try publish("1.0", "--notes", "some.md").exits(0, saying: "warning: some.md: ", "[file/secret]")
  }

  private static let base64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB"
  private static let key =
    "-----BEGIN PRIVATE KEY-----\n\(base64)\n\(base64)\n-----END PRIVATE KEY-----\n"

  @Test func `release publishes notes too, and a dry run writes none`() throws {
    try work.makeBook()
    let words = ["release", "Book", "--to", "store", "--notes", "en.md", "--metadata", "chapter=3"]
    try work.iapkg(words + ["--dry-run"]).succeeds()
    #expect(!work.exists("store"))
    try work.iapkg(words).succeeds()
    #expect(try objects().count == 1)
    #expect(try release()?["notes"]?[0]?["language"] == "und")
    #expect(try release()?["metadata"]?["chapter"] == "3")
  }

  @Test func `publishing the same package and notes again restores a lost note`() throws {
    try publishNotes()
    try work.remove(try #require(objects().first))
    try publish("1.0").exits(69, saying: ".md is missing")
    let document = try publish("1.0", "--notes", "en=en.md", "--notes", "de=de.txt", "--format=json")
      .succeeds()
      .document()
    #expect(document["published"]?[0]?["restored"]?.elements.count == 1)
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  private static let refusals: [([String], Int32, String)] = [
    (["--notes", "nothing.md"], 66, "nothing.md"),
    (["--notes", "1.0.pkg"], 64, "expected the name of a file that ends in .md or .txt"),
    (["--notes", "empty.md"], 64, "is empty"), (["--notes", "latin.txt"], 64, "is not UTF-8"),
    (["--notes", "bell.txt"], 64, "has a control character"),
    (["--notes", "large.txt"], 64, "more than 65536 bytes"),
    (["--notes", "en.md", "--notes", "de.txt"], 64, "give each its own, such as de=de.txt"),
    (["--notes", "en=en.md", "--notes", "EN=de.txt"], 64, "with the same one"),
    (["--metadata", "chapter"], 64, "expected key=value"), (["--metadata", "a b=1"], 64, "is not a key"),
    (["--metadata", "=1"], 64, "is not a key"),
    (["--metadata", "a=1", "--metadata", "a=2"], 64, "is repeated"),
    (["--metadata", "a=1\n2"], 64, "control character"),
    (
      ["--metadata", "a=" + String(repeating: "x", count: 1_001)], 64, "has 1001 bytes, expected at most 1000"
    ),
    ((0...32).flatMap { ["--metadata", "key\($0)=1"] }, 64, "more than 32 keys"),
    (
      ["--minimum-app-version", "2", "--maximum-app-version", "1.9"], 64,
      "expected at least --minimum-app-version, 2"
    ),
  ]

  @Test(arguments: refusals)
  func `invalid notes, metadata and app versions are refused before anything is written`(
    _ options: [String], _ code: Int32, _ words: String
  ) throws {
    try work.write(" \n", to: "empty.md")
    try work.write([0x41, 0xFF], to: "latin.txt")
    try work.write("a\u{7}b", to: "bell.txt")
    try work.write(String(repeating: "x", count: 65_537), to: "large.txt")
    try work.iapkg(["publish", "1.0.pkg", "--to", "store"] + options).fails(code, saying: words)
    #expect(!work.exists("store"))
  }

  @Test func `the longest notes and the most metadata are accepted`() throws {
    try work.write("\u{FEFF}" + String(repeating: "x", count: 65_533), to: "large.txt")
    let pairs = (0..<32).flatMap { ["--metadata", "key\($0)=\(String(repeating: "y", count: 1_000))"] }
    try work.iapkg(["publish", "1.0.pkg", "--to", "store", "--notes", "x=y.md"] + pairs)
      .fails(66, saying: "x=y.md")
    try work.iapkg(["publish", "1.0.pkg", "--to", "store", "--notes", "large.txt"] + pairs).succeeds()
    #expect(try release()?["notes"]?[0]?["size"] == 65_533)
  }

  // MARK: Maintenance

  @Test func `prune keeps the notes of releases, and deletes those of removed ones`() throws {
    try publishNotes()
    try publish("1.1").succeeds()
    try age()
    try work.iapkg("catalog", "prune", "--to", "store").succeeds()
    #expect(try objects().count == 2)
    try work.iapkg("catalog", "prune", "--keep", "1", "--to", "store").succeeds()
    #expect(try objects().count == 2, "clients of the previous catalog may still read them")
    try age()
    try work.iapkg("catalog", "prune", "--to", "store").succeeds()
    #expect(try objects().isEmpty)
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  /// Makes all objects older than the grace period of `prune`.
  private func age() throws {
    for name in try work.names(in: Self.folder) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)],
        ofItemAtPath: work.place("\(Self.folder)/\(name)"))
    }
  }

  @Test func `a withdrawn or promoted release keeps its notes and metadata`() throws {
    try publish("1.0", "--notes", "en=en.md", "--metadata", "a=b", "--maximum-app-version", "3").succeeds()
    let before = try #require(try release())
    try work.iapkg("promote", product, "1.0", "--channel", "beta", "--to", "store").succeeds()
    try work.iapkg("withdraw", product, "1.0", "--reason", "a fault", "--to", "store").succeeds()
    let after = try #require(try release())
    for key in ["notes", "metadata", "maximumAppVersion"] { #expect(after[key] == before[key]) }
    try work.iapkg("withdraw", product, "1.0", "--undo", "--to", "store").succeeds()
    try work.remove(try #require(objects().first))
    try work.iapkg("promote", product, "1.0", "--channel", "other", "--to", "store").fails(
      69, saying: ".md is missing")
  }

  @Test func `a copy includes the notes, and a deep copy repairs them`() throws {
    try publishNotes()
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy").succeeds()
    try work.iapkg("catalog", "verify", "--from", "copy", "--deep").succeeds()
    let note = try #require(objects().first).replacingOccurrences(of: "store/", with: "copy/")
    let length = try work.bytes(note).count
    try work.write(String(repeating: "x", count: length), to: note)
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy", "--deep").succeeds()
    try work.iapkg("catalog", "verify", "--from", "copy", "--deep").succeeds()
  }

  @Test func `verify finds missing and damaged notes`() throws {
    try publishNotes()
    let note = try #require(objects().first)
    let bytes = try work.bytes(note)
    try work.write(bytes.map { _ in UInt8(ascii: "x") }, to: note)
    try work.iapkg("catalog", "verify", "--from", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").exits(76, saying: "SHA-256 differs")
    try work.write("short", to: note)
    try work.iapkg("catalog", "verify", "--from", "store").exits(76, saying: "has 5 bytes")
    try work.remove(note)
    for options in [[], ["--deep"]] {
      try work.iapkg(["catalog", "verify", "--from", "store"] + options).exits(69, saying: ".md is missing")
    }
  }

  // MARK: Showing

  @Test func `catalog shows the notes of a product in the language of the user`() throws {
    try publish(
      "1.0", "--notes", "en=en.md", "--notes", "de=de.txt", "--metadata", "mode=\u{202E}night", "--metadata",
      "a=1", "--minimum-app-version", "2", "--maximum-app-version", "3"
    ).succeeds()
    let words = ["catalog", product, "--from", "store"]
    let english = try work.iapkg(words).succeeds().output
    #expect(english.contains(", for app 2 to 3, notes in en, de\n    metadata: a=1, mode=\\u{202E}night\n"))
    #expect(english.contains("\n    # New\n\n    - a <b>chapter</b>\n"))
    for environment in [["LANG": "de_AT.UTF-8"], ["LANG": "fr_FR", "LANGUAGE": "de:en"]] {
      let german = try work.iapkg(words, environment: environment).succeeds().output
      #expect(german.contains("\n    Neu: ein Kapitel\n") && !german.contains("# New"))
    }
    let plain = try work.iapkg(words, environment: ["LC_ALL": "C", "LANGUAGE": "de"]).succeeds().output
    #expect(plain == english)
    #expect(try !work.iapkg("catalog", "--from", "store").succeeds().output.contains("# New"))
    try work.remove(try #require(objects().first))
    #expect(try work.iapkg(words).succeeds().output.contains("    the notes cannot be read: "))
  }

  @Test func `a long note is truncated in text output`() throws {
    try work.write((1...50).map { "line \($0)\n" }.joined(), to: "long.txt")
    try publish("1.0", "--notes", "long.txt").succeeds()
    let output = try work.iapkg("catalog", product, "--from", "store").succeeds().output
    #expect(output.hasSuffix("    line 20\n    and 30 more lines\n"), "\(output)")
  }

  @Test func `outdated shows the notes and the metadata of the newer release`() throws {
    try publish("1.0").succeeds()
    try work.iapkg("fetch", product, "--from", "store").exits(0)
    try work.write("\u{1F600} new\u{202E}\r\n\tand more", to: "odd.txt")
    try publish("1.1", "--notes", "odd.txt", "--metadata", "a=b").succeeds()
    let output = try work.iapkg("outdated").succeeds().output
    #expect(output.contains("\n    metadata: a=b\n    \u{1F600} new\\u{202E}\n     and more\n"), "\(output)")
    let document = try work.iapkg("outdated", "--format=json").succeeds().document()
    let found = document["products"]?[0]
    #expect(found?["metadata"]?["a"] == "b" && found?["notes"]?["type"] == "text/plain")
    #expect(found?["notes"]?["language"] == "und")
    try work.remove(try #require(objects().first))
    let damaged = try work.iapkg("outdated").exits(0).output
    #expect(damaged.contains("1.1 is available") && damaged.contains("the notes cannot be read: "))
    #expect(
      try work.iapkg("outdated", "--format=json").exits(0).document()["products"]?[0]?["notes"] == .null)
    try work.iapkg("update").exits(0)
  }

  @Test func `the page of a catalog shows notes and metadata as text`() throws {
    try work.write("</script><img src=x onerror=alert(1)>\n", to: "bad.md")
    try publish("1.0", "--notes", "en=bad.md", "--notes", "de=de.txt", "--metadata", "a=<i>").succeeds()
    try work.iapkg("catalog", "--from", "store", "--html", "-o", "page.html").succeeds()
    let page = try work.text("page.html")
    #expect(!page.contains("</script><img") && !page.contains("<i>"))
    #expect(page.contains("\\u003c/script>\\u003cimg src=x") && page.contains("Neu: ein Kapitel"))
  }

  // MARK: App versions

  @Test func `an app above the maximum gets an earlier release, or a reason`() throws {
    try publish("1.0").succeeds()
    try publish("1.1", "--maximum-app-version", "2.5").succeeds()
    func fetched(_ options: String...) throws -> Outcome {
      try work.iapkg(
        ["fetch", product, "--from", "store", "--dry-run", "--format=json"] + options)
    }
    for (app, version) in [("2.5", "1.1"), ("2.5.0", "1.1"), ("2.6", "1.0"), ("1", "1.1")] {
      let document = try fetched("--app-version", app).succeeds().document()
      #expect(document["products"]?[0]?["contentVersion"]?.text == version, "\(app)")
    }
    #expect(try fetched().succeeds().document()["products"]?[0]?["contentVersion"] == "1.1")
    try fetched("--app-version", "3", "--content-version", "1.1")
      .exits(1, saying: "is for version 2.5 of the app or earlier")
    #expect(
      try work.iapkg("catalog", product, "--from", "store").succeeds().output.contains(
        "for app 2.5 and below"))
  }
}
