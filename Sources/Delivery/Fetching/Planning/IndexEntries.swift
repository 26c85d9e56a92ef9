import ContentPackage
import Support
import ZipArchive

/// The entries of an index, in offset order.
///
/// The subscript creates an entry at each access. An index may have hundreds of thousands of entries: their names share
/// memory, and the other fields of each take 64 bytes.
struct IndexEntries: RandomAccessCollection, Sendable {
  private struct Fields: Sendable {
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
  private var fields: [Fields] = []
  /// The indices of the links, usually few.
  private(set) var links: [UInt32] = []
  /// The targets of links, by entry index.
  private var targets: [Int: [UInt8]] = [:]
  /// The chunks of large files, by entry index.
  private(set) var chunks: [Int: [Chunk]] = [:]

  var startIndex: Int { 0 }
  var endIndex: Int { fields.count }

  subscript(position: Int) -> IndexEntry {
    let fields = fields[position]
    return IndexEntry(
      path: paths[position], kind: fields.kind, mode: fields.mode == Fields.noMode ? nil : fields.mode,
      size: fields.size, digest: fields.kind == .folder ? nil : fields.digest, method: fields.method,
      offset: fields.offset, packedSize: fields.packedSize, crc32: fields.crc32,
      target: fields.kind == .link ? targets[position] : nil,
      chunks: fields.size < ChunkCutter.minimumFileSize ? [] : chunks[position] ?? [])
  }

  mutating func append(_ entry: IndexEntry) {
    if entry.kind == .link {
      links.append(UInt32(fields.count))
      targets[fields.count] = entry.target
    }
    if !entry.chunks.isEmpty { chunks[fields.count] = entry.chunks }
    paths.append(entry.path)
    fields.append(
      Fields(
        digest: entry.digest ?? .none, size: entry.size, offset: entry.offset, packedSize: entry.packedSize,
        crc32: entry.crc32, mode: entry.mode ?? Fields.noMode, kind: entry.kind, method: entry.method))
  }
}
