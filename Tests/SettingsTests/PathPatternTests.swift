import Support
import Testing

@testable import Settings

/// Patterns with the semantics of gitignore(5). The expectations are those of git 2.39 (`git check-ignore`).
struct PathPatternTests {
  @Test(
    arguments: [
      ("*.psd", "a.psd", true), ("*.psd", "Contents/deep/a.psd", true), ("*.psd", "a.psdx", false),
      ("/*.psd", "a.psd", true), ("/*.psd", "Contents/a.psd", false),
      ("Contents/*.psd", "Contents/a.psd", true),
      ("Contents/*.psd", "Contents/b/a.psd", false), ("Contents/**/a", "Contents/a", true),
      ("Contents/**/a", "Contents/b/c/a", true), ("**/a", "a", true), ("**/a/b", "x/a/b", true),
      ("a/**", "a/b/c", true), ("a/**", "a", false), ("a**b", "axxb", true), ("a**b", "a/b", false),
      ("a?c", "abc", true), ("a?c", "a/c", false), ("a?c", "aéc", false), ("[a-c]x", "bx", true),
      ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]]x", "]x", true), ("[a", "[a", false),
      ("[a-]x", "-x", true), ("\\*.psd", "*.psd", true), ("\\*.psd", "a.psd", false), ("\\#a", "#a", true),
      ("\\!a", "!a", true), ("a b", "a b", true), ("a   ", "a", true), ("a\\ ", "a ", true), ("*", "x", true),
      ("a*b*c", "axbxbxc", true), ("a*b*c", "axbxbx", false), ("a", "x/a", true), ("x/a", "y/x/a", false),
      ("A", "a", false), ("a\r", "a", true),
    ])
  func `a pattern matches the same paths as in git`(_ pattern: String, _ path: String, _ isMatch: Bool) throws
  {
    let pattern = try #require(PathPattern(pattern))
    #expect(pattern.matches(path.utf8, isFolder: false) == isMatch)
  }

  @Test func `a trailing slash matches only folders`() throws {
    let pattern = try #require(PathPattern("drafts/"))
    #expect(pattern.matches("Contents/drafts".utf8, isFolder: true))
    #expect(!pattern.matches("Contents/drafts".utf8, isFolder: false))
  }

  @Test func `an exclamation mark negates a pattern`() throws {
    #expect(try #require(PathPattern("!a")).isNegated)
    #expect(try #require(PathPattern("!a")).matches("a".utf8, isFolder: false))
  }

  @Test(arguments: ["", "# a comment", "   ", "/", "!"])
  func `a line without a pattern is ignored`(_ line: String) { #expect(PathPattern(line) == nil) }

  @Test(.timeLimit(.minutes(1))) func `many stars do not take exponential time`() throws {
    let stars = try #require(PathPattern(String(repeating: "*a", count: 400) + "b"))
    #expect(!stars.matches(Array(repeating: UInt8(ascii: "a"), count: 4_000), isFolder: false))
    let folders = try #require(PathPattern(String(repeating: "**/a/", count: 150) + "b"))
    let path = Array(String(repeating: "a/", count: 2_000).utf8) + [UInt8(ascii: "c")]
    #expect(!folders.matches(path, isFolder: false))
  }
}
