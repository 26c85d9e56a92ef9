import SafeFiles
import Support
import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct PathRulesTests {
  @Test(
    arguments: [
      ("", [.pathEmpty]),
      ("/Contents/a", [.pathAbsolute]),
      ("//server/share", [.pathAbsolute]),
      ("\\\\server\\share", [.pathAbsolute, .pathCharacters]),
      ("C:/x", [.pathAbsolute]),
      ("c:x", [.pathAbsolute]),
      ("Contents//a", [.pathEmpty]),
      ("Contents/./a", [.pathTraversal]),
      ("../a", [.pathTraversal]),
      ("Contents/a/../../b", [.pathTraversal]),
      ("Contents/..", [.pathTraversal]),
      ("Contents/a\0b", [.pathCharacters]),
      ("Contents/a\u{1B}[2J", [.pathCharacters]),
      ("Contents/a\u{7F}", [.pathCharacters]),
      ("Contents/a\u{9B}2J", [.pathCharacters]),
      ("Contents/a\\b", [.pathCharacters]),
    ] as [(String, [Rule])])
  func `an unsafe path is refused by the rule for its defect`(path: String, rules: [Rule]) {
    #expect(findings([path]).map(\.rule) == rules)
  }

  @Test(
    arguments: [
      [0xFF], [0x61, 0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xE3, 0x81],
    ] as [[UInt8]])
  func `a name that is not UTF-8 is refused`(_ name: [UInt8]) {
    let item = PathItem(EntryPath("Contents").appending(name), .file)
    #expect(PathRules.findings(in: PathTree([item])).map(\.rule) == [.pathEncoding])
  }

  @Test func `a name that is not UTF-8 and has a control character has both findings`() {
    let item = PathItem(EntryPath("Contents").appending([0xFF, 0x07]), .file)
    #expect(PathRules.findings(in: PathTree([item])).map(\.rule) == [.pathEncoding, .pathCharacters])
  }

  @Test(arguments: [
    "a\u{202E}gpj.exe", "a\u{2066}b", "a\u{200E}b", "a\u{061C}b", "a\u{200B}b", "a\u{200D}b", "\u{FEFF}a",
    "a\u{2060}b", "a\u{00AD}b", "a\u{3164}", "a\u{0378}", "a\u{FFFF}", "a\u{2028}b", " a", "a ",
    "a\u{3000}",
    "\u{00A0}a", "a.", " ",
  ])
  func `a name that a person may misread is accepted with a warning`(name: String) {
    #expect(findings(["Contents/\(name)"]).map(\.rule) == [.pathConfusing])
  }

  @Test(arguments: [
    "a", "é", "e\u{301}", "日本語.txt", "한글", "-rf", "~", "$HOME", "%2e%2e", "*", "?", "...", "..a", "a..b",
    "a:b", "❤️.png", "CON", "a b", ".hidden", "ａｂｃ", "\u{F8FF}", "🧑🏽.png", String(repeating: "a", count: 255),
  ])
  func `an ordinary or merely odd name is accepted`(name: String) {
    #expect(findings(["Contents/\(name)"]) == [])
  }

  @Test(
    arguments: [
      (String(repeating: "a", count: 256), true),
      (String(repeating: "é", count: 128), true),
      (String(repeating: "é", count: 127) + "a", false),
      (Array(repeating: "abc", count: 63).joined(separator: "/"), false),
      (Array(repeating: "abc", count: 64).joined(separator: "/"), true),
      (Array(repeating: String(repeating: "a", count: 202), count: 5).joined(separator: "/"), false),
      (Array(repeating: String(repeating: "a", count: 202), count: 5).joined(separator: "/") + "b", true),
      (String(repeating: "a/", count: 30_000), true),
    ] as [(String, Bool)])
  func `a path above a limit is refused, and a path at the limit is not`(rest: String, isRefused: Bool) {
    // The third and second to last paths have exactly 1,023 and 1,024 bytes.
    let found = findings(["Contents/\(rest)"]).map(\.rule)
    #expect(found.contains(.pathTooLong) == isRefused)
  }

  @Test(arguments: [
    ("Contents/a", "Contents/A"), ("Contents/é", "Contents/e\u{301}"), ("Contents/É", "Contents/e\u{301}"),
    ("Contents/straße", "Contents/STRASSE"), ("contents/a", "Contents/a"), ("Contents/é/x", "Contents/É/y"),
    ("contentinfo.PLIST", "Contents/a"), ("Contents/한", "Contents/\u{1112}\u{1161}\u{11AB}"),
  ])
  func `names that a file system may treat as equal collide`(one: String, other: String) {
    #expect(findings([one, other]).map(\.rule) == [.pathCollision])
  }

  @Test(arguments: [
    ("Contents/a", "Contents/ａ"), ("Contents/ı", "Contents/i"), ("Contents/a/x", "Contents/b/x"),
    ("Contents/x/contents", "Contents/x/b"), ("Contents/ﬁ", "Contents/f"), ("Contents/①", "Contents/1"),
  ])
  func `names that every file system distinguishes do not collide`(one: String, other: String) {
    #expect(findings([one, other]) == [])
  }

  @Test func `a finding about a folder is reported once, for any contents`() {
    let paths = (0..<50).flatMap { ["Contents/Data/\($0)", "Contents/data/\($0)", "Contents/b\u{7}/\($0)"] }
    let found = findings(paths)
    #expect(found.map(\.rule) == [.pathCollision, .pathCharacters])
    #expect(found.map(\.path) == [EntryPath("Contents/data"), EntryPath("Contents/b\u{7}")])
  }

  @Test func `a message shows no control character`() {
    let found = findings([
      "Contents/A\u{1B}", "Contents/a\u{1B}", "Contents/a\u{1B}/b", "Contents/\u{202E}\\",
    ])
    #expect(!found.isEmpty)
    for finding in found {
      #expect(!finding.message.unicodeScalars.contains { $0.isHiddenInText })
    }
  }

  @Test(
    arguments: [
      ([("a", .file), ("a", .file)], [.pathDuplicate]),
      ([("a", .folder), ("a", .folder)], [.pathDuplicate]),
      ([("a", .link(target: [0x62])), ("a", .file)], [.pathDuplicate]),
      ([("a", .file), ("a", .folder)], [.pathFileAndFolder]),
      ([("a", .folder), ("a/b", .file), ("a", .file)], [.pathFileAndFolder]),
      ([("a", .file), ("a/b/c", .file)], [.pathFileAndFolder]),
      ([("a/b/c", .file), ("a", .file)], [.pathFileAndFolder]),
      ([("a", .folder), ("a/b", .file)], []),
      ([("a/b", .file), ("a", .folder)], []),
    ] as [([(String, PathItem.Kind)], [Rule])])
  func `the kinds of two entries with the same path determine the finding`(
    items: [(String, PathItem.Kind)], rules: [Rule]
  ) {
    let items = items.map { PathItem(EntryPath("Contents/" + $0.0), $0.1) }
    #expect(PathRules.findings(in: PathTree(PathItems(items))).map(\.rule) == rules)
  }

  @Test func `Contents must be a folder`() {
    #expect(findings(["Contents"]).map(\.rule) == [.pathFileAndFolder])
    #expect(PathRules.findings(in: PathTree([PathItem(EntryPath("Contents"), .folder)])) == [])
  }

  @Test func `ten thousand spellings of one name are distinguished in one pass`() {
    let paths = (0..<10_000).map { number in
      "Contents/" + String((0..<14).map { number >> $0 & 1 == 0 ? "a" : "A" })
    }
    #expect(findings(paths).count == 9_999)
  }

  private func findings(_ paths: [String]) -> [Finding] {
    PathRules.findings(in: PathTree(PathItems(paths.map { PathItem(EntryPath($0), .file) })))
  }
}
