import Foundation
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Conversion

/// The search of a source root for the files of a pack.
struct SelectedItemTests {
  @Test func `too many items in the folders of the selectors stop the search`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/1", "a/2", "b/1", "b/2", "b/3"] { try folder.write([], to: name) }
    let tree = try FileTree.open(folder.path)
    func names(_ selectors: [AssetPackSelector], atMost limit: Int) throws -> [String]? {
      try tree.items(for: selectors, atMost: limit, Cancellation())?.map {
        String(decoding: $0.relativePath, as: UTF8.self)
      }
    }
    #expect(try names([.directory("a/"), .exclusion("**/x")], atMost: 4) == ["a", "a/1", "a/2"])
    #expect(try names([.file("a/1")], atMost: 4) == ["a", "a/1"])
    #expect(try names([.directory("a")], atMost: 3) == nil)
    #expect(try names([.directory("a"), .pattern("*")], atMost: 6) == nil)
    #expect(try names([.pattern("*")], atMost: 7)?.count == 7)
  }
}
