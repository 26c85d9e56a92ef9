import Foundation
import Testing

@testable import Settings

/// Character classes of patterns, compared with git.
struct GitPatternTests {
  private static let git = ["/usr/bin/git", "/usr/local/bin/git"].first(
    where: FileManager.default.isExecutableFile(atPath:))

  private static let patterns =
    [
      "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
      "xdigit",
    ].flatMap { ["x[[:\($0):]]", "x[![:\($0):]]", "x[-[:\($0):]_]"] } + [
      "x[[:nonsense:]]", "x[[:alpha]", "x[[:]a]", "x[a[:digit:]-c]", "x[[:digit:]-z]", "x[a-\\z]", "x[[.a.]]",
      "x[]-a]", "x[\\]]",
    ]
  /// A name for each kind of byte that a name can have and that git reports unchanged.
  private static let names = "aAzZ09 _-.!~]:[\\é".map { "x\($0)" } + ["x\t", "x\u{1}", "x"]

  @Test(.enabled(if: git != nil, "git is not installed"))
  func `classes match what git says`() throws {
    let git = try #require(Self.git)
    let folder = "\(NSTemporaryDirectory())/git-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func run(_ words: [String], input: String = "") throws -> [UInt8] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: git)
      process.arguments = ["-C", folder] + words
      process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"]
      let (give, take) = (Pipe(), Pipe())
      process.standardInput = give
      process.standardOutput = take
      try process.run()
      try give.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try give.fileHandleForWriting.close()
      let output = try take.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return Array(output)
    }
    _ = try run(["init", "-q"])
    let input = Self.names.map { $0 + "\0" }.joined()
    for text in Self.patterns {
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/.gitignore"))
      let output = try run(["check-ignore", "-z", "--no-index", "--stdin"], input: input)
      let expected = Set(output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
      let pattern = try #require(PathPattern(text))
      for name in Self.names {
        #expect(
          pattern.matches(Array(name.utf8), isFolder: false) == expected.contains(name),
          "\(text) and \(name.debugDescription)")
      }
    }
  }
}
