#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import ContentPackage

@Suite("Large files that several threads prepare")
struct LargeFileTests {
  private static let size = 8 << 20

  /// Packs a folder with one large file, which `change` changes after it was listed.
  private func pack(_ change: (TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write([UInt8](repeating: 0, count: Self.size), to: "large")
    let info = try ContentInfo(
      productIdentifier: #require(ProductIdentifier("a")), contentVersion: #require(ContentVersion("1")))
    let context = WorkContext(jobs: 8)
    let review = try PackageBuilder(context: context).review(.open(contents: folder.path, info))
    try change(folder)
    let settings = EntryPreparation.Settings(
      compression: .auto, time: .first, spoolFolder: folder.path, context: context)
    try EntryPipeline(review.items, of: review.source, settings).run { _, _ in }
  }

  @Test
  func `end all threads with an error if the file was shortened or deleted since it was listed`() throws {
    #expect(throws: SourceError.self) {
      try pack { try $0.write([UInt8](repeating: 0, count: Self.size / 2), to: "large") }
    }
    #expect(throws: SourceError.self) { try pack { try $0.remove("large") } }
  }
}
#endif
