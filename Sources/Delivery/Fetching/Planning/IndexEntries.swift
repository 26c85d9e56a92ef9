import ContentPackage
import Support
import ZipArchive

/// The entries of an index, in offset order.
///
/// The subscript creates an entry at each access. An index may have hundreds of thousands of entries: their names share
/// memory, and the other fields of each take 64 bytes.
struct IndexEntries: RandomAccessCollection, Sendable {
  private struct Facts: Sendable {
    let digest: SHA256Digest
    let size: Int64
    let offset: Int64
    let packedSize: Int64
    let crc32: UInt32
    let mode: UInt16
    let kind: IndexEntry.Kind
    let method: IndexEntry.Method

    /// A value outside the 12 bits of a mode.
    static let noMode = UInt16.max
  }

  private var paths = PathList()
  private var facts: [Facts] = []
  /// The indices of the links, usually few.
  private(set) var links: [UInt32] = []
  /// The targets of links, by entry index.
  private var targets: [Int: [UInt8]] = [:]
  /// The chunks of large files, by entry index.
  private(set) var chunks: [Int: [Chunk]] = [:]

  var startIndex: Int { 0 }
  var endIndex: Int { facts.count }

  subscript(position: Int) -> IndexEntry {
    let facts = facts[position]
    return IndexEntry(
      path: paths[position], kind: facts.kind, mode: facts.mode == Facts.noMode ? nil : facts.mode,
      size: facts.size, digest: facts.kind == .folder ? nil : facts.digest, method: facts.method,
      offset: facts.offset, packedSize: facts.packedSize, crc32: facts.crc32,
      target: facts.kind == .link ? targets[position] : nil,
      chunks: facts.size < ChunkCutter.minimumFileSize ? [] : chunks[position] ?? [])
  }

  mutating func append(_ entry: IndexEntry) {
    if entry.kind == .link {
      links.append(UInt32(facts.count))
      targets[facts.count] = entry.target
    }
    if !entry.chunks.isEmpty { chunks[facts.count] = entry.chunks }
    paths.append(entry.path)
    facts.append(
      Facts(
        digest: entry.digest ?? .none, size: entry.size, offset: entry.offset, packedSize: entry.packedSize,
        crc32: entry.crc32, mode: entry.mode ?? Facts.noMode, kind: entry.kind, method: entry.method))
  }
}
