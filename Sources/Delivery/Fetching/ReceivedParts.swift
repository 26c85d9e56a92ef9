import ContentPackage
import Installation
import SafeFiles
import Synchronization
import ZipArchive

/// The first bytes of entries that an earlier try has received in part: of stored ones the file that was begun, and of
/// deflated ones their packed bytes. They are taken for what they are by the name of their file, and the digest of the whole
/// entry tells whether that was right.
final class ReceivedParts: Sendable {
  private struct Part {
    let place: PresentFile.Place
    let byteCount: Int64
    let isPacked: Bool
  }

  /// The first bytes of an entry: of a file with its content, or packed.
  enum Taken {
    case content(PresentFile)
    case packed(InputFile)
  }

  /// By the number of the entry; each is used once.
  private let parts: Mutex<[Int: Part]>
  /// Whether there was none from the start.
  let isEmpty: Bool

  init() {
    parts = Mutex([:])
    isEmpty = true
  }

  /// Looks for the first bytes of stored entries among the files of a download of the same package that are no whole ones.
  init(of content: ReleaseContent, in download: InstalledProducts.Download, files: [FileTree.Item]) {
    let package = (try? DownloadNote(bytes: download.note))?.package
    let files = package == content.release.package.digest ? files : []
    var candidates: [EntryPath: FileTree.Item] = [:]
    for file in files where file.status.size > 0 {
      let path = EntryPath(bytes: file.relativePath)
      candidates[path] = file
      // The first part may be the folder of a version.
      if let inner = path.withoutFirst, candidates[inner] == nil { candidates[inner] = file }
    }
    var found: [Int: Part] = [:]
    if !candidates.isEmpty {
      for (number, entry) in content.entries.enumerated()
      where entry.kind == .file && entry.method == .stored && entry.path.first == PackageLayout.contents {
        guard let path = entry.path.withoutFirst, let file = candidates[path],
          file.status.size < entry.packedSize
        else { continue }
        found[number] = Part(
          place: PresentFile.Place(tree: download.tree, path: file.relativePath), byteCount: file.status.size,
          isPacked: false)
      }
    }
    if let packed = download.packed { found.merge(Self.packedParts(of: content, in: packed)) { $1 } }
    isEmpty = found.isEmpty
    parts = Mutex(found)
  }

  /// How many packed bytes of an entry are there.
  func byteCount(of entry: Int) -> Int64 { parts.withLock { $0[entry]?.byteCount ?? 0 } }

  /// The bytes of all.
  var byteCount: Int64 { parts.withLock { $0.values.reduce(0) { $0 + $1.byteCount } } }

  /// The part of an entry, which from now on is not there any more.
  ///
  /// - Throws: `FileError` if it cannot be opened.
  func take(_ entry: Int) throws(FileError) -> Taken? {
    guard let part = parts.withLock({ $0.removeValue(forKey: entry) }) else { return nil }
    let file = try part.place.open()
    if part.isPacked { return .packed(file) }
    return .content(PresentFile(file, byteCount: part.byteCount, movableFrom: part.place))
  }

  /// The files of content that have a part, or those with packed bytes.
  func paths(packed isPacked: Bool) -> Set<[UInt8]> {
    Set(parts.withLock { $0.values.filter { $0.isPacked == isPacked }.map(\.place.path) })
  }

  /// Bytes of the parts that are files of content.
  var contentBytes: Int64 { parts.withLock { $0.values.reduce(0) { $0 + ($1.isPacked ? 0 : $1.byteCount) } } }

  /// What the packed bytes of an entry are called in `PackedParts`. A package never changes, so that it need not be
  /// compared.
  static func name(of entry: IndexEntry, in package: ObjectReference) -> String {
    "\(package.digest.hexadecimal.prefix(16))-\(entry.offset)"
  }

  private static func packedParts(of content: ReleaseContent, in tree: FileTree) -> [Int: Part] {
    let files = (try? tree.items()) ?? []
    let sizes = Dictionary(files.map { ($0.relativePath, $0.status.size) }) { first, _ in first }
    guard !sizes.isEmpty else { return [:] }
    var found: [Int: Part] = [:]
    for (number, entry) in content.entries.enumerated()
    where entry.method == .deflated && entry.packedSize >= PackedParts.smallest {
      let path = Array(name(of: entry, in: content.release.package).utf8)
      guard let size = sizes[path], (1..<entry.packedSize).contains(size) else { continue }
      found[number] = Part(
        place: PresentFile.Place(tree: tree, path: path), byteCount: size, isPacked: true)
    }
    return found
  }
}
