import Support
import Testing

@testable import Settings

/// Unusual patterns. The expectations are the results of git 2.39 (`git check-ignore --no-index`).
struct GitPatternTests {
  /// A name for each kind of byte, after an `x`.
  private static let bytes = "abAzZ09 _-.!~]:[\\é\t\u{1}".map(String.init) + [""]
  /// Paths; those that end in a slash are folders.
  private static let all = [
    "a", "b", "ab", "axb", "***", "\\", "a ", "e/", "d/a", "d/ab", "d/b/", "d/b/a", "d/x/b", "d/x/y/b",
    "d/e/", "f/d/a",
  ]
  /// Everything but the files outside of folders.
  private static let inFolders = ["e/", "d/a", "d/ab", "d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/", "f/d/a"]
  private static let inD = ["d/a", "d/ab", "d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/"]
  /// Everything named `b` in the folder `d`.
  private static let inB = ["d/b/", "d/b/a", "d/x/b", "d/x/y/b"]

  @Test(
    arguments: [
      ("x[[:alnum:]]", "abAzZ09"),
      ("x[![:alnum:]]", " _-.!~]:[\\\t\u{1}"),
      ("x[-[:alnum:]_]", "abAzZ09_-"),
      ("x[[:alpha:]]", "abAzZ"),
      ("x[![:alpha:]]", "09 _-.!~]:[\\\t\u{1}"),
      ("x[-[:alpha:]_]", "abAzZ_-"),
      ("x[[:blank:]]", " \t"),
      ("x[![:blank:]]", "abAzZ09_-.!~]:[\\\u{1}"),
      ("x[-[:blank:]_]", " _-\t"),
      ("x[[:cntrl:]]", "\t\u{1}"),
      ("x[![:cntrl:]]", "abAzZ09 _-.!~]:[\\"),
      ("x[-[:cntrl:]_]", "_-\t\u{1}"),
      ("x[[:digit:]]", "09"),
      ("x[![:digit:]]", "abAzZ _-.!~]:[\\\t\u{1}"),
      ("x[-[:digit:]_]", "09_-"),
      ("x[[:graph:]]", "abAzZ09_-.!~]:[\\"),
      ("x[![:graph:]]", " \t\u{1}"),
      ("x[-[:graph:]_]", "abAzZ09_-.!~]:[\\"),
      ("x[[:lower:]]", "abz"),
      ("x[![:lower:]]", "AZ09 _-.!~]:[\\\t\u{1}"),
      ("x[-[:lower:]_]", "abz_-"),
      ("x[[:print:]]", "abAzZ09 _-.!~]:[\\"),
      ("x[![:print:]]", "\t\u{1}"),
      ("x[-[:print:]_]", "abAzZ09 _-.!~]:[\\"),
      ("x[[:punct:]]", "_-.!~]:[\\"),
      ("x[![:punct:]]", "abAzZ09 \t\u{1}"),
      ("x[-[:punct:]_]", "_-.!~]:[\\"),
      ("x[[:space:]]", " \t"),
      ("x[![:space:]]", "abAzZ09_-.!~]:[\\\u{1}"),
      ("x[-[:space:]_]", " _-\t"),
      ("x[[:upper:]]", "AZ"),
      ("x[![:upper:]]", "abz09 _-.!~]:[\\\t\u{1}"),
      ("x[-[:upper:]_]", "AZ_-"),
      ("x[[:xdigit:]]", "abA09"),
      ("x[![:xdigit:]]", "zZ _-.!~]:[\\\t\u{1}"),
      ("x[-[:xdigit:]_]", "abA09_-"),
      ("x[[:nonsense:]]", ""),
      ("x[[::]]", ""),
      ("x[[:alpha]", "a:["),
      ("x[[:]a]", ""),
      ("x[a[:digit:]-c]", "a09-"),
      ("x[[:digit:]-z]", "z09-"),
      ("x[a-\\z]", "abz"),
      ("x[[.a.]]", ""),
      ("x[]-a]", "a_]"),
      ("x[\\]]", "]"),
      ("x[b-a]", "b"),
      ("x[z-a]", "z"),
      ("x[Z-A0]", "Z0"),
      ("x[a-]", "a-"),
      ("x[--0]", "0-."),
      ("x[!]", ""),
      ("x[]", ""),
      ("x[", ""),
      ("x[a", ""),
      ("x[\\", ""),
      ("x[a-", ""),
      ("x[^]]", "abAzZ09 _-.!~:[\\\t\u{1}"),
      ("x[!]a]", "bAzZ09 _-.!~:[\\\t\u{1}"),
      ("x[a-c-z]", "abz-"),
      ("x[\\a-\\z]", "abz"),
    ])
  func `a set matches the same characters as in git`(_ text: String, _ expected: String) throws {
    let pattern = try #require(PathPattern(text))
    let found = Self.bytes.filter { pattern.matches("x\($0)".utf8, isFolder: false) }
    #expect(found.joined() == expected)
  }

  @Test(
    arguments: [
      ("*", all),
      ("**", all),
      ("***", all),
      ("****/", inFolders),
      ("*/", inFolders),
      ("**/", inFolders),
      ("***/", inFolders),
      ("/*", all),
      ("/**", all),
      ("/***", all),
      ("a//b", []),
      ("d//a", []),
      ("//a", []),
      ("d//", []),
      ("d/a/", []),
      ("d/**", inD),
      ("d/***", inD),
      ("d/****/b", inB),
      ("d/**/b", inB),
      ("d/**/", ["d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/"]),
      ("d/**/**/b", inB),
      ("d/**b", ["d/ab", "d/b/", "d/b/a"]),
      ("d/b**", ["d/b/", "d/b/a"]),
      ("d/x**/b", ["d/x/b", "d/x/y/b"]),
      ("d/x**b", []),
      ("d**/b", inB),
      ("d/*/b", ["d/x/b"]),
      ("d/**/x/**", ["d/x/b", "d/x/y/b"]),
      ("**/b", ["b", "d/b/", "d/b/a", "d/x/b", "d/x/y/b"]),
      ("***/b", ["b", "d/b/", "d/b/a", "d/x/b", "d/x/y/b"]),
      ("/**/b", ["b", "d/b/", "d/b/a", "d/x/b", "d/x/y/b"]),
      ("**d/b", ["d/b/", "d/b/a"]),
      ("**/**/a", ["a", "d/a", "d/b/a", "f/d/a"]),
      ("d/*", inD),
      ("d/*/", ["d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/"]),
      ("d/?", ["d/a", "d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/"]),
      ("d?a", []),
      ("d[/]a", []),
      ("d[!x]a", []),
      ("d/[!x]", ["d/a", "d/b/", "d/b/a", "d/e/"]),
      ("d\\/a", ["d/a"]),
      ("d\\/**", inD),
      ("d/**\\/b", ["d/x/b", "d/x/y/b"]),
      ("**\\/b", inB),
      ("\\a", ["a", "d/a", "d/b/a", "f/d/a"]),
      ("a\\", []),
      ("\\\\", ["\\"]),
      ("\\", []),
      ("*\\", []),
      ("\\**", ["***"]),
      ("\\*\\*\\*", ["***"]),
      ("[*]**", ["***"]),
      ("a\\ ", ["a "]),
      ("a ", ["a", "d/a", "d/b/a", "f/d/a"]),
      ("a \\", []),
      ("\\ ", []),
      ("!a", []),
      ("!!a", []),
      ("\\!a", []),
      ("*a", ["a", "d/a", "d/b/a", "f/d/a"]),
      ("*b*", ["b", "ab", "axb", "d/ab", "d/b/", "d/b/a", "d/x/b", "d/x/y/b"]),
      ("a*b", ["ab", "axb", "d/ab"]),
      ("a**b", ["ab", "axb", "d/ab"]),
      ("/a*b", ["ab", "axb"]),
      ("f/d/a", ["f/d/a"]),
      ("d/a", ["d/a"]),
      ("/d", inD),
      ("d", ["d/a", "d/ab", "d/b/", "d/b/a", "d/x/b", "d/x/y/b", "d/e/", "f/d/a"]),
      ("/", []),
      ("//", []),
      ("/ ", []),
      ("#", []),
      ("\\#", []),
      ("*[", []),
      ("a[", []),
      ("d/[", []),
      ("d/[[:x:]]", []),
      ("{a,b}", []),
    ])
  func `an unusual pattern matches the same paths as in git`(_ text: String, _ expected: [String]) throws {
    guard let pattern = PathPattern(text), !pattern.isNegated else {
      #expect(expected == [])
      return
    }
    #expect(Self.all.filter { Self.excludes(pattern, $0) } == expected)
  }

  /// Returns whether a pattern excludes a path, or one of the folders in which it lies.
  private static func excludes(_ pattern: PathPattern, _ path: String) -> Bool {
    let isFolder = path.hasSuffix("/")
    let path = Array(path.utf8.dropLast(isFolder ? 1 : 0))
    return pattern.matches(path, isFolder: isFolder)
      || path.indices.contains {
        path[$0] == UInt8(ascii: "/") && pattern.matches(path[..<$0], isFolder: true)
      }
  }
}
