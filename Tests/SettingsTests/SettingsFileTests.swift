import ContentPackage
import StrictYAML
import Support
import Testing

@testable import Settings

/// Valid and invalid files `.iapkg.yml`.
struct SettingsFileTests {
  private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(bytes: Array(text.utf8), path: "f")
  }

  private func failure(of bytes: [UInt8]) -> SettingsError? {
    do throws(SettingsError) {
      _ = try SettingsFile(bytes: bytes, path: "f")
      return nil
    } catch {
      return error
    }
  }

  @Test func `every key is read, with its position`() throws {
    let file = try file(
      """
      # what a team decided
      exclude: ["*.psd", "!keep.psd"]
      ignore:
        - rule: file/script
          path: Contents/scripts/**
          reason: the app reads them as data
      compression:
        "*.dat": store
        "*.json": deflate
      budget: { package: 200MB, file: 50MB, update: 20MB, files: 5000 }
      store: s3://bucket/shop
      channel: beta
      sign-with: key.pub
      """)
    #expect(file.exclude?.value.map(\.value.text) == ["*.psd", "!keep.psd"])
    #expect(file.exclude?.value.map(\.location.column) == [11, 20])
    let ignored = try #require(file.ignore?.value.first)
    #expect(ignored.value.rule == .fileScript)
    #expect(ignored.value.reason == "the app reads them as data")
    #expect(ignored.location.line == 4)
    #expect(file.compression?.value.map(\.value.1) == [.store, .best])
    #expect(file.store?.value == "s3://bucket/shop")
    #expect(file.budget?.value.package?.value == 200_000_000)
    #expect(file.budget?.value.update?.value == 20_000_000)
    #expect(file.budget?.value.files?.value == 5_000)
    #expect(file.budget?.value.file.map(\.value.0.text) == ["*"])
    #expect(file.budget?.value.file.map(\.value.1) == [50_000_000])
    #expect(file.store?.location.line == 11)
    #expect(file.channel?.value.text == "beta")
    #expect(file.signWith?.value == "key.pub")
  }

  @Test func `a leading byte order mark is skipped, and not counted in positions`() throws {
    #expect(try file("\u{FEFF}channel: beta\n").channel?.value.text == "beta")
    #expect(failure(of: Array("\u{FEFF}exclud: []".utf8))?.location.column == 1)
    // Elsewhere it is a character of the text.
    #expect(failure(of: Array("channel: beta\n\u{FEFF}store: shop\n".utf8)) != nil)
  }

  @Test(arguments: ["", "\u{FEFF}", "# nothing\n", "---", "---\n...\n"])
  func `an empty file has no settings`(_ text: String) throws {
    #expect(try file(text).exclude == nil)
  }

  @Test(
    arguments: [
      ("exclud: []", 1, 1, "there is no key 'exclud'; did you mean exclude?"),
      ("\nexclude: a", 2, 10, "found a string for exclude, expected a list"),
      ("exclude:\n  - [a]", 2, 5, "found a list for a pattern"),
      ("exclude:\n  - ''", 2, 5, "a pattern is empty"),
      ("exclude:\n  - '# x'", 2, 5, "is not a pattern"),
      ("ignore:\n  - rule: file/scrip\n    reason: x", 2, 11, "did you mean file/script?"),
      ("ignore:\n  - rule: link/escapes\n    reason: x", 2, 11, "the rule link/escapes cannot be ignored"),
      ("ignore:\n  - rule: file/script", 2, 5, "the key reason is missing"),
      ("ignore:\n  - reason: x", 2, 5, "the key rule is missing"),
      (
        "ignore:\n  - rule: file/script\n    resaon: x", 3, 5,
        "there is no such key, expected rule, path, reason"
      ),
      ("compression:\n  \"*.x\": squeeze", 2, 10, "there is no such method, expected store, deflate"),
      ("budget: 5MB", 1, 9, "found a string for budget, expected keys with values"),
      ("budget: { pakage: 5MB }", 1, 11, "did you mean package?"),
      ("budget: { package: many }", 1, 20, "the budget of package is not a size"),
      ("budget: { update: 0 }", 1, 19, "the budget of update is not a size"),
      ("budget: { package: 3GiB }", 1, 20, "from 1 byte to 2GiB"),
      ("budget: { files: 0 }", 1, 18, "the budget of files is not a number of files"),
      ("budget: { files: 5MB }", 1, 18, "the budget of files is not a number of files"),
      ("budget: { file: [5MB] }", 1, 17, "found a list for file, expected keys with values"),
      ("budget: { file: { \"*.x\": big } }", 1, 26, "the budget of a pattern is not a size"),
      ("budget: { file: { \"!x\": 1 } }", 1, 19, "begins with '!'"),
      ("AKIAIOSFODNN7EXAMPLE: x", 1, 1, "there is no such key, expected exclude"),
      ("channel: a b", 1, 10, "the channel is not a name of 1 to 64"),
      ("channel: [a]", 1, 10, "found a list for channel"),
      ("store: https://me:pw@host/shop", 1, 8, "which may be a secret"),
      ("store: https://host/shop?signature=x", 1, 8, "which may be a secret"),
      ("store: [a]", 1, 8, "found a list for store"), ("store:", 1, 7, "store is empty"),
      ("- a", 1, 1, "found a list for the file"), ("store: a\nstore: b", 2, 1, "the key appears twice"),
      ("store: \"a", 1, 10, "is not YAML"), ("a: b: c", 1, 5, "is not YAML"),
      ("store: a\n---\nstore: b", 2, 1, "found a second document"), ("exclude: *.psd", 1, 11, "is not YAML"),
      ("exclude: *psd", 1, 10, "found an alias"), ("- &a [x]", 1, 3, "found an anchor"),
      ("- &a {x: y}", 1, 3, "found an anchor"),
      (String(repeating: "- ", count: 33) + "a", 1, 65, "found more than 32 levels"),
      ("store: &a x", 1, 8, "found an anchor"), ("{&a : b}", 1, 2, "found an anchor"),
    ])
  func `an error has a line and a column`(
    _ text: String, _ line: Int, _ column: Int, _ words: String
  ) throws {
    let error = try #require(failure(of: Array(text.utf8)), "\(text)")
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.location.line == line, "\(text): \(error.location)")
    #expect(error.location.column == column, "\(text): \(error.location)")
  }

  @Test(arguments: ["R&D/packs & more", "a/*b", "&anchor", "*alias"])
  func `an ampersand or an asterisk in a quoted text is not an anchor or alias`(_ text: String) throws {
    #expect(try file("store: '\(text)'").store?.value == text)
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(failure(of: [0x61, 0x3A, 0x20, 0xFF])?.message == "the file is not UTF-8")
    #expect(failure(of: [0xFF, 0xFE, 0x61, 0x00]) != nil)
    #expect(failure(of: Array("store: a\u{0}b".utf8)) != nil)
  }

  @Test(.timeLimit(.minutes(1))) func `hostile files are refused`() {
    var laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for (name, before) in zip("bcdefghi", "abcdefgh") {
      laughs += "\(name): &\(name) [\(Array(repeating: "*\(before)", count: 9).joined(separator: ","))]\n"
    }
    #expect(failure(of: Array(laughs.utf8)) != nil)
    for text in ["[", "{", "- ", "? ", "{a: ", "a:\n ", "!!", "'", "%", "\t", "|", "- ? : "] {
      let many = String(repeating: text, count: YAMLNode.maximumByteCount / text.utf8.count)
      #expect(failure(of: Array(many.utf8)) != nil, "\(text)")
    }
    #expect(
      failure(of: Array(repeating: UInt8(ascii: "a"), count: 10_000_000))?.message.contains("10000000")
        == true)
  }
}
