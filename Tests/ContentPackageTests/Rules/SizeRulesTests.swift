import Testing
import ZipArchive

@testable import ContentPackage

struct SizeRulesTests {
  private func files(_ sizes: Int64...) -> [ContentItem] {
    sizes.enumerated().map {
      ContentItem(
        path: EntryPath("Contents/\($0.offset)"), kind: .file, size: $0.element, permissions: nil,
        index: $0.offset)
    }
  }

  private func rules(_ sizes: [ContentItem], archive: Int64? = nil, limits: Limits = Limits()) -> [Rule] {
    SizeRules.findings(items: sizes, archiveBytes: archive, limits: limits).map(\.rule)
  }

  @Test func `content above 2 GiB is over the limit, and above 2 GB near it`() {
    #expect(rules(files(2_000_000_000)) == [])
    #expect(rules(files(2_000_000_001)) == [.sizeNearLimit])
    #expect(rules(files(1_073_741_824, 1_073_741_824)) == [.sizeNearLimit])
    #expect(rules(files(1_073_741_824, 1_073_741_825)) == [.sizeOverLimit])
  }

  @Test func `the size of the package is checked separately`() {
    #expect(rules(files(1), archive: 2_147_483_648) == [.sizeNearLimit])
    #expect(rules(files(1), archive: 2_147_483_649) == [.sizeOverLimit])
    #expect(rules(files(.max), archive: .max) == [.sizeOverLimit, .sizeOverLimit])
  }

  @Test func `sums do not overflow, and negative sizes count as zero`() {
    #expect(SizeRules.contentBytes(of: files(.max, 1, .max)) == .max)
    #expect(SizeRules.contentBytes(of: files(5, -7, 3)) == 8)
    #expect(rules(files(.max, .max)) == [.sizeOverLimit])
  }

  @Test func `limits are clamped to the range from zero to 2 GiB`() {
    #expect(Limits(bytes: .max).bytes == Limits.maximumBytes)
    #expect(Limits(bytes: -1).bytes == 0)
    #expect(rules(files(100), limits: Limits(bytes: 100)) == [])
    #expect(rules(files(101), limits: Limits(bytes: 100)) == [.sizeOverLimit])
  }
}
