#if COMMAND_LINE_TOOL
import Support
import TestSupport
import Testing
import ZipArchive

@testable import ContentPackage

/// Progress does not count bytes that are not yet written.
struct PackingProgressTests {
  private static let size = 8 << 20

  @Test(arguments: [Compression.store, .fast])
  func `a part of a large file is counted when it is written`(_ compression: Compression) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write([UInt8](repeating: 0, count: Self.size), to: "large")

    let info = try ContentInfo(
      productIdentifier: #require(ProductIdentifier("a")), contentVersion: #require(ContentVersion("1")))
    let progress = WorkProgress()
    let context = WorkContext(progress: progress)
    let builder = PackageBuilder(compression: compression, context: context)
    let review = try builder.review(.open(contents: folder.path, info))
    let item = try #require(review.items.first { $0.size == Self.size })
    progress.begin(.packing, "a.pkg", totalBytes: Int64(Self.size))
    let settings = EntryPreparation.Settings(
      compression: compression, time: .first, spoolFolder: folder.path, context: context)
    var uncounted: Int64 = 0
    try EntryPipeline(review.items.filtered { $0.index == item.index }, of: review.source, settings).run {
      uncounted = $1.uncounted
    }
    // The rest of each part is rounded down.
    let expected = Int64(Self.size / (compression == .store ? 2 : 16))
    #expect((expected - 10...expected).contains(uncounted))
    #expect(progress.state?.completedBytes == Int64(Self.size) - uncounted)
  }
}
#endif
