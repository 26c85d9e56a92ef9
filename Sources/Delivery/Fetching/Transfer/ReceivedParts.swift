import ContentPackage
import Installation
import SafeFiles
import Support
import Synchronization
import ZipArchive

/// The leading bytes of entries that an earlier attempt received in part: the partial file of an entry that is stored
/// or has chunks, or the compressed bytes of any other entry.
///
/// Whole chunks are verified. Other parts are identified by file name alone, and verified by the digest of the complete
/// entry. A file with several hard links is no part: it must not be written to, so a damaged one would stay in place.
final class ReceivedParts: Sendable {
  private struct Part {
    let place: PresentFile.Place
    let byteCount: Int64
    let isCompressed: Bool
  }

  /// The leading bytes of an entry: a file with content, or compressed bytes.
  enum LeadingBytes {
    case content(PresentFile)
    case compressed(InputFile)
  }

  /// By entry index. Each part is used once.
  private let parts: Mutex<[Int: Part]>
  /// Whether there were no parts initially.
  let isEmpty: Bool

  init() {
    parts = Mutex([:])
    isEmpty = true
  }

  /// Finds the parts of entries among the incomplete files of a download of the same package.
  ///
  /// - Throws: `Interruption`.
  init(
    of content: ReleaseContent, in download: InstalledProducts.Download, files: [FileTree.Item],
    _ context: WorkContext
  ) throws {
    let package = (try? DownloadNote(bytes: download.note))?.package
    let files = package == content.release.package.digest ? files : []
    var candidates: [EntryPath: FileTree.Item] = [:]
    for file in files where file.status.size > 0 && file.status.linkCount == 1 {
      let path = EntryPath(bytes: file.relativePath)
      candidates[path] = file
      // The first component may be the folder of a version.
      if let inner = path.withoutFirst, candidates[inner] == nil { candidates[inner] = file }
    }
    var found: [Int: Part] = [:]
    if !candidates.isEmpty {
      for (index, entry) in content.entries.enumerated()
      where entry.kind == .file && (entry.method == .stored || !entry.chunks.isEmpty)
        && entry.path.first == PackageLayout.contents
      {
        guard let path = entry.path.withoutFirst, let file = candidates[path], file.status.size < entry.size
        else { continue }
        let place = PresentFile.Place(tree: download.content.tree, path: file.relativePath)
        let count =
          try entry.chunks.isEmpty ? file.status.size : Self.byteCount(of: entry.chunks, in: place, context)
        if count > 0 { found[index] = Part(place: place, byteCount: count, isCompressed: false) }
      }
    }
    if let packed = download.packed { found.merge(Self.packedParts(of: content, in: packed)) { $1 } }
    isEmpty = found.isEmpty
    parts = Mutex(found)
  }

  /// Returns the total size of the intact leading chunks of a file.
  ///
  /// - Throws: `Interruption`.
  private static func byteCount(
    of chunks: [Chunk], in place: PresentFile.Place, _ context: WorkContext
  ) throws -> Int64 {
    guard let file = try? place.open() else { return 0 }
    var buffer = [UInt8](repeating: 0, count: ChunkCutter.maximumSize)
    var end: Int64 = 0
    for chunk in chunks {
      try context.cancellation.check()
      guard (try? file.read(at: end, into: &buffer, count: chunk.size)) == chunk.size,
        chunk.isIntact(in: buffer)
      else { break }
      end += Int64(chunk.size)
    }
    return end
  }

  /// Returns the number of leading bytes of an entry that are present: uncompressed for an entry with chunks, otherwise
  /// compressed.
  func byteCount(of entry: Int) -> Int64 { parts.withLock { $0[entry]?.byteCount ?? 0 } }

  /// Removes and returns the part of an entry.
  ///
  /// - Throws: `FileError` if it cannot be opened.
  func removePart(of entry: Int) throws(FileError) -> LeadingBytes? {
    guard let part = parts.withLock({ $0.removeValue(forKey: entry) }) else { return nil }
    let file = try part.place.open()
    if part.isCompressed { return .compressed(file) }
    return .content(PresentFile(file, byteCount: part.byteCount, movableFrom: part.place))
  }

  /// Returns the paths of the parts with compressed bytes, or of those with content.
  func paths(compressed isCompressed: Bool) -> Set<[UInt8]> {
    Set(parts.withLock { $0.values.filter { $0.isCompressed == isCompressed }.map(\.place.path) })
  }

  /// The total size of the parts that are files with content.
  var contentBytes: Int64 {
    parts.withLock { $0.values.reduce(0) { $0 + ($1.isCompressed ? 0 : $1.byteCount) } }
  }

  /// Returns the file name of an entry's compressed bytes in `PackedParts`. The bytes of a package never change, so
  /// digest prefix and offset suffice.
  static func name(of entry: IndexEntry, in package: ObjectReference) -> String {
    "\(package.digest.hexadecimal.prefix(16))-\(entry.offset)"
  }

  private static func packedParts(of content: ReleaseContent, in tree: FileTree) -> [Int: Part] {
    let files = ((try? tree.items()) ?? []).filter { $0.status.linkCount == 1 }
    let sizes = Dictionary(files.map { ($0.relativePath, $0.status.size) }) { first, _ in first }
    guard !sizes.isEmpty else { return [:] }
    var found: [Int: Part] = [:]
    for (index, entry) in content.entries.enumerated()
    where entry.method == .deflated && entry.chunks.isEmpty
      && entry.packedSize >= PackedParts.minimumByteCount
    {
      let path = Array(name(of: entry, in: content.release.package).utf8)
      guard let size = sizes[path], (1..<entry.packedSize).contains(size) else { continue }
      found[index] = Part(
        place: PresentFile.Place(tree: tree, path: path), byteCount: size, isCompressed: true)
    }
    return found
  }
}
