import Testing
import ZipArchive

@testable import ContentPackage

/// The totals over all paths.
struct ExcessRulesTests {
  static let countings: [(paths: [String], folders: Int)] = [
    ([], 0), (["f"], 0), (["a/b/f"], 2), (["a/b/f", "a/b/g", "a/c/f"], 3),
    // A folder with an explicit entry is not counted again.
    (["a/", "a/b/", "a/b/f"], 0), (["a/", "a/b/f"], 1), (["a/b/", "a/b/c/d/f"], 3),
    // Other names sort between a folder and its contents.
    (["a/", "a-b", "a-b/f", "a/f"], 1), (["a/", "a-", "a-/", "a/", "a/f"], 0),
    (["a", "a/f"], 1), (["ab/f", "abc/f"], 2), ([String(repeating: "d/", count: 70) + "f"], 0),
  ]

  @Test(arguments: countings)
  func `folders without an entry of their own are counted`(_ paths: [String], _ expected: Int) {
    let items = paths.map { path in
      let isFolder = path.hasSuffix("/")
      return (path: EntryPath(isFolder ? String(path.dropLast()) : path), isFolder: isFolder)
    }
    #expect(PathTree.impliedFolderCount(items) == expected)
  }

  private func items(_ paths: some Sequence<String>, _ kind: ContentItem.Kind = .file) -> ContentItems {
    ContentItems(
      paths.enumerated().map {
        ContentItem(path: EntryPath($0.element), kind: kind, size: 0, permissions: nil, index: $0.offset)
      })
  }

  @Test func `implied folders above the limit are refused`() {
    let folders = String(repeating: "d/", count: 63)
    let maximum = Limits.maximumSurplusFolderCount / 62
    func paths(_ count: Int) -> ContentItems {
      items((0..<count).map { String(10_000 + $0) + folders.dropFirst() + "f" })
    }
    #expect(ExcessRules.finding(for: paths(maximum)) == nil)
    let finding = ExcessRules.finding(for: paths(maximum + 1))
    #expect(finding?.rule == .pathTooLong && finding?.path == nil)
    #expect(
      finding?.message.hasPrefix(
        "the paths of \(maximum + 1) entries imply \((maximum + 1) * 63) more folders") == true)
  }

  @Test func `folders count as entries`() {
    let count = Limits.maximumEntryCount / 2
    func paths(_ count: Int) -> ContentItems { items((0..<count).map { "\(1_000_000 + $0)/f" }) }
    #expect(ExcessRules.finding(for: paths(count)) == nil)
    #expect(ExcessRules.finding(for: paths(count + 1))?.rule == .pathTooLong)
  }

  @Test func `a folder with more files than a package may have is refused as a whole`() {
    let finding = ExcessRules.finding(for: items((0...Limits.maximumEntryCount).map { "\(1_000_000 + $0)" }))
    #expect(finding?.rule == .pathTooLong)
    #expect(finding?.message.contains("more than \(Limits.maximumEntryCount)") == true)
  }
}
