import Testing
import ZipArchive

@testable import ContentPackage

@Suite struct LinkRulesTests {
  @Test(
    arguments: [
      // The link is Contents/d/l. The content also has Contents/d/f, Contents/e/g and links whose names describe them.
      ("f", nil), ("./f", nil), ("../e/g", nil), ("..", nil), (".", nil), ("../d/../e", nil),
      ("../e/./g", nil),
      ("f/", .linkDangling), ("..//e/", nil), ("..//e", nil),
      ("nothing", .linkDangling), ("../e/nothing/g", .linkDangling), ("nothing/../f", .linkDangling),
      ("f/g", .linkDangling), ("f/../f", .linkDangling), ("F", .linkDangling),
      ("../..", .linkEscapes), ("../../Contents/d/f", .linkEscapes), ("../../../etc/passwd", .linkEscapes),
      ("nothing/../../../x", .linkEscapes), ("nothing/a/../../../../x", .linkEscapes),
      ("f/../../../x", .linkEscapes),
      ("../../ContentInfo.plist", .linkEscapes),
      ("up/../..", .linkEscapes), ("up/../f", .linkEscapes), ("deep/../../../f", nil),
      ("deep/../f", .linkDangling),
      ("UP/../..", .linkEscapes),
      ("out", .linkEscapes), ("out/etc", .linkEscapes), ("rooted/x", .linkEscapes),
      ("/etc/passwd", .linkAbsolute), ("/", .linkAbsolute), ("C:/x", .linkAbsolute), ("c:x", .linkAbsolute),
      ("l", .linkLoop), ("../d/l", .linkLoop), ("l/x", .linkLoop), ("there", .linkLoop),
      ("circle/x", .linkLoop),
      ("dangling", .linkDangling), ("dangling/..", .linkDangling),
      ("", .linkTarget), ("a\0b", .linkTarget), ("..\\..\\x", .linkTarget), ("a\u{1B}", .linkTarget),
      (String(repeating: "./", count: 511) + "f", nil),
      (String(repeating: "./", count: 511) + "ff", .linkTarget),
    ] as [(String, Rule?)])
  func `the target of a link is resolved from the folder of the link`(target: String, rule: Rule?) {
    let found = findings([
      ("Contents/d/f", nil), ("Contents/e/g", nil), ("Contents/d/g/h/i/j", nil), ("Contents/d/l", target),
      ("Contents/d/up", ".."), ("Contents/d/deep", "g/h/i"), ("Contents/d/out", "../../.."),
      ("Contents/d/rooted", "/usr"), ("Contents/d/there", "back"), ("Contents/d/back", "l"),
      ("Contents/d/circle", "circle"), ("Contents/d/dangling", "gone"),
    ])
    #expect(found.first { $0.path == EntryPath("Contents/d/l") }?.rule == rule)
  }

  @Test(arguments: ["f/", "f/g", "f/../f", "./f/.", "link/"])
  func `a target that uses a file as a folder names the file`(target: String) {
    let found = findings([("Contents/d/f", nil), ("Contents/d/l", target), ("Contents/d/link", "f")])
    #expect(found.map(\.path) == [EntryPath("Contents/d/l")])
    #expect(
      found.map(\.message) == ["the target \(target) leads into the file Contents/d/f, expected a folder"])
  }

  @Test(arguments: ["gone/", "gone/f/", "F/", "through/"])
  func `a missing target is not taken for a file`(target: String) {
    let found = findings([("Contents/d/f", nil), ("Contents/d/l", target), ("Contents/d/through", "f/")])
    let message = found.first { $0.path == EntryPath("Contents/d/l") }?.message
    #expect(message == "the target \(target) does not exist")
  }

  @Test func `a target that is not UTF-8 is refused`() {
    let tree = PathTree([PathItem(EntryPath("Contents/l"), .link(target: [0x61, 0xC0, 0xAF]))])
    #expect(LinkRules.findings(in: tree).map(\.rule) == [.linkTarget])
  }

  @Test(arguments: ["Contents", "ContentInfo.plist", "contents", "CONTENTINFO.PLIST"])
  func `Contents and the manifest must not be links, in any spelling`(path: String) {
    #expect(findings([(path, "a"), ("a", nil)]).map(\.rule) == [.linkForbiddenPlace])
  }

  @Test(
    arguments: [
      ("l", "a", []), ("META-INF/l", "../a", []), ("l", "../a", [.linkEscapes]),
      ("META-INF/l", "../../a", [.linkEscapes]), ("l", "/a", [.linkAbsolute]),
    ] as [(String, String, [Rule])])
  func `a link outside Contents must not leave the package`(path: String, target: String, rules: [Rule]) {
    #expect(findings([(path, target), ("a", nil)]).map(\.rule) == rules)
  }

  @Test(arguments: [
    (["Contents/l/x"], ["Contents/l/x"]),
    (["Contents/l/x", "Contents/l/y", "Contents/l/z/z"], ["Contents/l/x"]),
    (["Contents/L/x"], ["Contents/L/x"]),
    (["Contents/l/x", "Contents/L/y"], ["Contents/l/x", "Contents/L/y"]),
    (["Contents/ll/x"], []),
  ])
  func `no entry may be beneath a link, in any spelling`(paths: [String], expected: [String]) {
    for order in [
      [("Contents/l", "f")] + paths.map { ($0, nil) }, paths.map { ($0, nil) } + [("Contents/l", "f")],
    ] {
      let found = findings(order + [("Contents/f", nil)])
      #expect(found.allSatisfy { $0.rule == .linkThroughLink })
      #expect(Set(found.map(\.path)) == Set(expected.map { EntryPath($0) }))
    }
  }

  @Test func `an entry beneath a link in another normalization is found`() {
    let found = findings([("Contents/é", "f"), ("Contents/e\u{301}/x", nil), ("Contents/f", nil)])
    #expect(found.map(\.rule) == [.linkThroughLink])
  }

  @Test func `an entry beneath a link is not a file and a folder as well`() {
    let tree = tree([("Contents/l", "f"), ("Contents/l/x", nil), ("Contents/f", nil)])
    #expect(PathRules.findings(in: tree) == [])
  }

  @Test(arguments: [(39, 0), (40, 0), (41, 1), (45, 5)])
  func `a chain of more than 40 links is a loop`(links: Int, tooLong: Int) {
    let found = findings(chain(of: links) + [("Contents/end", nil)])
    #expect(found.map(\.rule) == Array(repeating: .linkLoop, count: tooLong))
  }

  @Test func `a chain of twenty thousand links, a circle of as many, and long targets take one pass`() {
    let count = 20_000
    #expect(findings(chain(of: count) + [("Contents/end", nil)]).count == count - 40)
    let circle = (0..<count).map { ("Contents/\($0)", "\(($0 + 1) % count)" as String?) }
    #expect(findings(circle).count == count)
    let steps = String(repeating: "d/../", count: 200)
    let long = (0..<200).map { ("Contents/\($0)", "\(steps)\($0 + 1)" as String?) }
    #expect(findings(long + [("Contents/d/f", nil)]).count == 200)
  }

  /// Links that each point to the next, and the last to `end`.
  private func chain(of count: Int) -> [(String, String?)] {
    (0..<count).map { ("Contents/\($0)", $0 + 1 == count ? "end" : "\($0 + 1)") }
  }

  /// Returns the findings for paths; those with a target are links.
  private func findings(_ paths: [(String, String?)]) -> [Finding] { LinkRules.findings(in: tree(paths)) }

  private func tree(_ paths: [(String, String?)]) -> PathTree {
    PathTree(
      PathItems(paths.map { PathItem(EntryPath($0.0), $0.1.map { .link(target: Array($0.utf8)) } ?? .file) }))
  }
}
