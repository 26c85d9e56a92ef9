import ContentPackage
import SafeFiles
import ZipArchive

/// The content of another source in the form of a content folder: taken out of a folder around it, with a manifest that
/// may be another one, and with no data that are packed.
struct CleanedSource: ContentSource {
  private let base: any ContentSource
  /// What comes before the path of an item in `base`; empty for nothing.
  private let prefix: EntryPath
  /// The manifest that takes the place of the one in `base`, and where that is among its items.
  private let manifest: (position: Int, bytes: [UInt8])?
  /// The folder for what has to be decoded to be read in any order.
  private let spoolFolder: String
  let items: ContentItems

  var path: String { base.path }
  var kind: ContentKind { base.kind }
  var archiveBytes: Int64? { nil }
  var findings: [Finding] { base.findings }
  var isReadable: Bool { base.isReadable }
  var isComplete: Bool { base.isComplete }

  /// - Parameters:
  ///   - base: the source.
  ///   - folder: the folder in it that has the content; nil for its root.
  ///   - manifest: what the manifest is to be; nil for what it is.
  ///   - choices: what is left out besides.
  ///   - spoolFolder: a folder on the file system that gets the package.
  init(
    _ base: any ContentSource, in folder: EntryPath?, manifest: [UInt8]?, _ choices: FolderChoices,
    spoolFolder: String
  ) {
    self.base = base
    self.spoolFolder = spoolFolder
    let prefix = folder?.appending("") ?? EntryPath("")
    self.prefix = prefix
    let items = base.items
    var leftOut: Set<EntryPath> = []
    let order = items.indices.filter { position in
      let path = items[position].path
      guard path.starts(with: prefix) else { return false }
      let inner = path.suffix(from: prefix.count)
      guard inner.first != PackageLayout.metaInf else { return false }
      let isFolder = items[position].kind == .folder
      // What is in a folder goes with it.
      if leftOut.contains(inner.parent ?? EntryPath("")) || choices.leavesOut(inner, isFolder) {
        if isFolder { leftOut.insert(inner) }
        return false
      }
      return true
    }
    let place = order.first { items[$0].path.suffix(from: prefix.count) == PackageLayout.manifest }
    let replaced = manifest.flatMap { bytes in place.map { (position: $0, bytes: bytes) } }
    self.manifest = replaced
    self.items = ContentItems(order: order.map { UInt32($0) }) { position in
      let item = items[position]
      return ContentItem(
        path: item.path.suffix(from: prefix.count), kind: item.kind,
        size: position == replaced?.position ? Int64(replaced?.bytes.count ?? 0) : item.size,
        permissions: item.permissions, index: position)
    }
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? {
    item.index == manifest?.position ? nil : base.recordedChecksum(of: base.items[item.index])
  }

  func transferBytes(of item: ContentItem) -> Int64 { item.size }

  func hasChanged() throws -> Bool { try base.hasChanged() }

  func makeReader() -> any ContentReader { Reader(self) }

  /// Reads files of one source; belongs to one thread.
  private final class Reader: ContentReader {
    private let source: CleanedSource
    private let reader: any ContentReader

    init(_ source: CleanedSource) {
      self.source = source
      reader = source.base.makeReader()
    }

    /// The bytes of an item that is not in the source.
    private func replacement(of item: ContentItem) -> (any ByteSource)? {
      item.index == source.manifest?.position ? source.manifest.map { MemoryBytes($0.bytes) } : nil
    }

    private func original(of item: ContentItem) -> ContentItem { source.base.items[item.index] }

    func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
      guard let bytes = replacement(of: item) else { return try reader.read(original(of: item), body) }
      _ = try bytes.forEachBlock(body)
    }

    func packed(_ item: ContentItem) throws -> PackedData {
      if let bytes = replacement(of: item) { return PackedData(method: .stored, data: bytes) }
      let packed = try reader.packed(original(of: item))
      guard packed.method != .stored else { return packed }
      let buffer = SpoolBuffer(folder: source.spoolFolder)
      try reader.read(original(of: item)) { try buffer.append($0) }
      return PackedData(method: .stored, data: try buffer.finish())
    }

    func content(of item: ContentItem) throws -> any ContentStream {
      if let bytes = replacement(of: item) { return StoredStream(bytes) }
      return try reader.content(of: original(of: item))
    }
  }
}
