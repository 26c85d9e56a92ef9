#if COMMAND_LINE_TOOL
import Foundation
import SafeFiles
import Support
import Testing
import ZipArchive

@testable import ContentPackage

@Suite("Large files that several threads prepare")
struct LargeFileTests {
  private static let size = 8 << 20

  /// Packs a folder with one large file, which `change` changes after it was listed.
  private func pack(_ change: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/iapkg-large-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(count: Self.size).write(to: URL(fileURLWithPath: folder + "/large"))
    let info = try ContentInfo(
      productIdentifier: #require(ProductIdentifier("a")), contentVersion: #require(ContentVersion("1")))
    let context = WorkContext(jobs: 8)
    let review = try PackageBuilder(context: context).review(.open(contents: folder, info))
    try change(folder + "/large")
    let settings = EntryPreparation.Settings(
      compression: .auto, time: .first, spoolFolder: folder, context: context)
    try EntryPipeline(review.items, of: review.source, settings).run { _, _ in }
  }

  @Test("end all threads with an error if the file was shortened or deleted since it was listed")
  func changes() throws {
    #expect(throws: SourceError.self) {
      try pack { try Data(count: Self.size / 2).write(to: URL(fileURLWithPath: $0)) }
    }
    #expect(throws: SourceError.self) { try pack { try FileManager.default.removeItem(atPath: $0) } }
  }
}
#endif
