import ContentPackage
import SafeFiles
import StrictJSON
import Support
import Testing
import ZipArchive

@testable import Delivery

/// The chunks of large files in an index.
@Suite struct ChunkListTests {
  private static let size: Int64 = 4 << 20
  private static let digest = ChunkDigest(SHA256Digest(of: []))

  private static func chunks(_ sizes: [Int], packed: (Int) -> Int = { $0 }) -> [Chunk] {
    sizes.map { Chunk(size: $0, packedSize: packed($0), digest: digest) }
  }

  private static func entry(
    _ chunks: [Chunk], size: Int64 = size, packedSize: Int64? = nil, kind: IndexEntry.Kind = .file
  ) -> IndexEntry {
    IndexEntry(
      path: EntryPath("Contents/large"), kind: kind, mode: 0o644, size: size, digest: SHA256Digest(of: []),
      method: packedSize == nil ? .stored : .deflated, offset: 40, packedSize: packedSize ?? size, crc32: 0,
      chunks: chunks)
  }

  private static func read(_ entries: [IndexEntry]) throws(DocumentError) -> [IndexEntry] {
    guard let index = try? PagedIndex(of: entries, manifest: []) else { throw DocumentError("not written") }
    var read: [IndexEntry] = []
    try index.read(packageBytes: Limits.maximumBytes) { read.append($0) }
    return read
  }

  private static let sizes = Array(repeating: 256 << 10, count: 15) + [200 << 10, 56 << 10]

  @Test func `chunks are written and read again`() throws {
    for entry in [
      Self.entry(Self.chunks(Self.sizes)),
      Self.entry(Self.chunks(Self.sizes) { $0 / 4 }, packedSize: Self.size / 4),
      Self.entry(Self.chunks(Self.sizes) { _ in 0 }, packedSize: 17),
    ] {
      #expect(try Self.read([entry]) == [entry])
    }
    let list = Self.entry(Self.chunks(Self.sizes)).chunks.flatMap(\.record)
    #expect(list.count < Int(Self.size) / 1_000)
  }

  @Test func `chunks that cannot be decoded alone are listed, but not received`() {
    let entry = Self.entry(Self.chunks(Self.sizes) { _ in 0 }, packedSize: 17)
    #expect(entry.chunks.isEmpty && entry.contentChunks.count == Self.sizes.count)
  }

  @Test(arguments: [
    ("small", "a chunk has 32767 bytes, expected 32768 to 262144"), ("empty", "a chunk has 0 bytes"),
    ("large", "a chunk has 262145 bytes"), ("huge", "a chunk has 4294967295 bytes"),
    ("sum", "have 4194305"), ("fewer", "have 262144"), ("a small file", "not a large file"),
    ("a link", "not a large file"), ("stored size", "has 100 bytes of data"),
    ("no data", "has 0 bytes of data"), ("no stored data", "has 0 bytes of data"),
    ("data after none", "has 17 bytes of data"),
    ("much data", "has 524289 bytes of data"),
    ("packed sum", "the chunks of an entry of 1048577 packed bytes have 1048576"),
  ])
  func `invalid chunk lists are rejected`(_ defect: String, _ message: String) {
    let first = Self.sizes.dropLast(2)
    let entry =
      switch defect {
      case "small": Self.entry(Self.chunks(first + [32_767, 256 << 10]))
      case "empty": Self.entry(Self.chunks(first + [256 << 10, 0]))
      case "large": Self.entry(Self.chunks([262_145] + Self.sizes))
      case "huge": Self.entry(Self.chunks([Int(UInt32.max)] + Self.sizes))
      case "sum": Self.entry(Self.chunks(first + [200 << 10, (56 << 10) + 1]))
      case "fewer": Self.entry(Self.chunks([256 << 10]))
      case "a small file": Self.entry(Self.chunks([256 << 10]), size: 256 << 10)
      case "a link": Self.entry(Self.chunks(Self.sizes), kind: .link)
      case "stored size": Self.entry(Self.chunks(Self.sizes) { _ in 100 })
      case "no data":
        Self.entry(Self.chunks(Self.sizes) { $0 < 100 << 10 ? 0 : 1 }, packedSize: 16)
      case "no stored data": Self.entry(Self.chunks(Self.sizes) { _ in 0 })
      case "data after none":
        Self.entry(Self.chunks(Self.sizes) { $0 < 100 << 10 ? 17 : 0 }, packedSize: 17)
      case "much data": Self.entry(Self.chunks(Self.sizes) { _ in 524_289 }, packedSize: 17 * 524_289)
      default: Self.entry(Self.chunks(Self.sizes) { $0 / 4 }, packedSize: Self.size / 4 + 1)
      }
    let error = #expect(throws: DocumentError.self) { try Self.read([entry]) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a chunk list of the wrong length is rejected`() throws {
    for length in [1, 23, 25] {
      #expect(throws: DocumentError.self) { try Chunk.list(records: [UInt8](repeating: 1, count: length)) }
    }
  }

  @Test func `an index with too many chunks is rejected`() throws {
    let size = Int64(DocumentLimits.maximumChunkCount / 2 + 1) * Int64(ChunkCutter.minimumSize)
    let entry = Self.entry(
      Self.chunks(Array(repeating: ChunkCutter.minimumSize, count: DocumentLimits.maximumChunkCount / 2 + 1))
      { _ in
        1
      },
      size: size, packedSize: size / Int64(ChunkCutter.minimumSize))
    #expect(try Self.read([entry]).count == 1)
    let next = IndexEntry(
      path: EntryPath("Contents/other"), kind: .file, mode: 0o644, size: size, digest: entry.digest,
      method: .deflated, offset: entry.end + 40, packedSize: entry.packedSize, crc32: 0, chunks: entry.chunks)
    let error = #expect(throws: DocumentError.self) { try Self.read([entry, next]) }
    #expect(error?.message.contains("more than \(DocumentLimits.maximumChunkCount) chunks") == true)
  }

  @Test(arguments: [(16, 32), (64, 64), (160, 80), (640, 320)])
  func `the requests of a large transfer have up to 2 MiB of chunks`(_ megabytes: Int, _ requests: Int) {
    let sizes = Array(repeating: 256 << 10, count: 4 * megabytes)
    var parts: [TransferPlan.Part] = []
    parts.append(Self.entry(Self.chunks(sizes)), 0) { _ in false }
    #expect(TransferPlan(of: parts).runs.count == requests)
  }

  @Test func `chunks share requests of at most 512 KiB with chunks of the same file`() {
    let large = Self.entry(Self.chunks(Self.sizes))
    let small = IndexEntry(
      path: EntryPath("Contents/small"), kind: .file, mode: 0o644, size: 10, digest: SHA256Digest(of: [1]),
      method: .stored, offset: large.end + 44, packedSize: 10, crc32: 0)
    var parts: [TransferPlan.Part] = []
    parts.append(large, 0) { _ in false }
    parts.append(small, 1) { _ in false }
    parts.append(small, 2) { _ in false }
    #expect(parts.count == Self.sizes.count + 2)
    let plan = TransferPlan(of: parts)
    #expect(plan.runs.last?.range == small.packedRange && plan.runs.first?.range.lowerBound == large.offset)
    #expect(
      zip(plan.runs, plan.runs.dropFirst()).dropLast().allSatisfy {
        $0.range.upperBound == $1.range.lowerBound
      })
    for run in plan.runs {
      #expect(plan.parts[run.parts].reduce(0) { $0 + Int($1.chunk?.size ?? 0) } <= 512 << 10)
    }
    parts = []
    parts.append(large, 0, after: 2 * 256 << 10) { _ in false }
    #expect(parts.first?.range.lowerBound == large.offset + 2 * 256 << 10)
    parts = []
    parts.append(large, 0) { _ in true }
    #expect(parts.isEmpty)
  }
}
