import ContentPackage
import PackageForge
import Testing

/// Lists of segments that are malformed, or that declare other segments than the data have.
struct SegmentTests {
  private static let name = "Contents/zeros"

  /// A package with a segmented file whose segments `change` modifies before the entry is made.
  private static func package(
    _ description: String, _ rules: Rule..., change: @escaping @Sendable (inout ForgedSegments) -> Void
  ) -> HostilePackage {
    HostilePackage(description, rules) {
      var segments = ForgedSegments()
      change(&segments)
      $0.add(segments.entry(name))
    }
  }

  /// A package with a segmented file whose finished entry `spoil` modifies.
  private static func entry(
    _ description: String, spoil: @escaping @Sendable (inout ForgedEntry) -> Void
  ) -> HostilePackage {
    HostilePackage(description, .archiveExtraField) {
      $0.add(ForgedSegments().entry(name))
      spoil(&$0[name])
    }
  }

  static let malformed: [HostilePackage] = [
    package("no segment", .archiveExtraField) { $0.sizes = [] },
    package("a content that adds up to one byte less", .archiveExtraField) { $0.sizes[1].size -= 1 },
    package("packed sizes that add up to one byte more", .archiveExtraField) { $0.sizes[2].packedSize += 1 },
    package("sizes that add up only modulo 2^32", .archiveExtraField) {
      $0.sizes[0].size &+= 1 << 31
      $0.sizes[1].size &+= 1 << 31
    },
    package("the largest numbers", .archiveExtraField) { $0.sizes[0] = .init(size: .max, packedSize: .max) },
    package("a segment without content", .archiveExtraField) {
      $0.sizes.insert(.init(size: 0, packedSize: 5), at: 1)
    },
    package("a segment without packed bytes", .archiveExtraField) {
      $0.sizes[1].packedSize += $0.sizes[0].packedSize
      $0.sizes[0].packedSize = 0
    },
    package("a segment below the minimum", .archiveExtraField) {
      $0.sizes[0].size -= 1
      $0.sizes[1].size += 1
    },
    package("one segment above the maximum", .archiveExtraField) {
      $0.sizes = [.init(size: UInt32($0.size), packedSize: UInt32($0.parts.joined().count))]
    },
    package("as many segments as fit into the field", .archiveExtraField) {
      $0.sizes = .init(repeating: $0.sizes[0], count: 8_190)
    },
    entry("an empty field") { $0.central.extra = [ForgedExtra(ForgedExtra.segments, [])] },
    entry("another version") { $0.central.extra[0].data[0] = 2 },
    entry("a list that ends in the middle of a segment") { $0.central.extra[0].data.removeLast() },
    entry("the field twice") { $0.central.extra += $0.central.extra },
    entry("the field in both headers") { $0.local.extra = $0.central.extra },
    HostilePackage("the field in the local header of a small file", .archiveExtraField) {
      $0[Name.deflated].local.extra = [ForgedSegments().field]
    },
    HostilePackage("the field of a small file", .archiveExtraField) {
      $0[Name.deflated].central.extra = [ForgedSegments().field]
    },
    HostilePackage("the field of a folder", .archiveExtraField) {
      $0[Name.folder].central.extra = [ForgedSegments().field]
    },
    HostilePackage("the field of a large stored file", .archiveExtraField) {
      $0.add(.file(name, [UInt8](repeating: 0, count: ForgedSegments().size)))
      $0[name].central.extra = [ForgedSegments().field]
    },
  ]

  @Test(arguments: malformed)
  func `an invalid list of segments is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let contradictions: [HostilePackage] = [
    package("other sizes with the same sum", .archiveSizeMismatch) {
      $0.sizes[0].size += 1
      $0.sizes[1].size -= 1
    },
    package("segments in another order", .archiveSizeMismatch) { $0.sizes.swapAt(0, 1) },
    package("a border one byte too early", .archiveSizeMismatch) {
      $0.sizes[0].packedSize -= 1
      $0.sizes[1].packedSize += 1
    },
    package("a border one byte too late", .archiveSizeMismatch) {
      $0.sizes[0].packedSize += 1
      $0.sizes[1].packedSize -= 1
    },
    package("a segment that is shorter than an empty block", .archiveSizeMismatch) {
      $0.sizes[1].packedSize += $0.sizes[0].packedSize - 3
      $0.sizes[0].packedSize = 3
    },
    package("a final block before the last segment", .archiveSizeMismatch) {
      $0.parts[0] = Deflate.zeros(1 << 20) + [0, 0, 0xFF, 0xFF]
      $0.sizes[0].packedSize = UInt32($0.parts[0].count)
    },
    package("a last segment without a final block", .archiveSizeMismatch) {
      $0.parts[2] = Deflate.zeros(1 << 20 + 5, isFinal: false)
      $0.sizes[2].packedSize = UInt32($0.parts[2].count)
    },
    package("bytes after the final block", .archiveSizeMismatch) {
      $0.parts[2] += [0]
      $0.sizes[2].packedSize += 1
    },
    package("a segment that refers to the one before", .archiveChecksum) {
      // A fixed block (RFC 1951, 3.2.6) whose first symbol is 257, length 3, with a distance of 1, before the zeros.
      $0.parts[1] = [0x02, 0x02, 0x00] + Deflate.zeros(2 << 20 - 3, isFinal: false)
      $0.sizes[1].packedSize = UInt32($0.parts[1].count)
    },
  ]

  @Test(arguments: contradictions)
  func `a list of segments that contradicts the data is refused, and no file is written`(
    _ package: HostilePackage
  ) throws { try package.checkRefusal() }

  @Test func `a list of the data's segments is accepted`() throws {
    try Self.package("three segments") { _ in }.checkAcceptance()
  }
}
