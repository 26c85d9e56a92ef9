import ContentPackage
import SafeFiles
import ZipArchive

/// The content of another source, converted to a content folder: without an enclosing folder, with a cleaned manifest,
/// and without compressed data.
struct CleanedSource: ContentSource {
  private let base: any ContentSource
  /// The part before an item's path in `base`; empty for none.
  private let prefix: EntryPath
  /// The replacement of the manifest in `base`, with the manifest's position among the items; nil to keep the manifest.
  private let manifest: (position: Int, bytes: [UInt8])?
  /// The folder for data that must be decoded for random access.
  private let spoolFolder: String
  let items: ContentItems
  let excluded: ExcludedItems
  let ignores: @Sendable (Finding) -> Bool
  /// The paths of signatures and of items outside the content folder, without the items in them. Safe to print.
  let dropped: [String]

  var path: String { base.path }
  /// A folder, so that junk is excluded from any kind of source.
  var kind: ContentKind { .folder }
  var archiveBytes: Int64? { nil }
  var findings: [Finding] { base.findings }
  var isReadable: Bool { base.isReadable }
  var isComplete: Bool { base.isComplete }

  /// Converts the content of a source.
  ///
  /// - Parameters:
  ///   - base: The source.
  ///   - folder: The enclosing folder of the content; nil for the root.
  ///   - manifest: The replacement of the manifest; nil to keep it.
  ///   - choices: Further items to exclude.
  ///   - spoolFolder: A folder on the file system of the new package.
  /// - Throws: `AllContentExcluded` if the choices exclude all content.
  init(
    _ base: any ContentSource, in folder: EntryPath?, manifest: [UInt8]?, _ choices: FolderChoices,
    spoolFolder: String
  ) throws(AllContentExcluded) {
    self.base = base
    let isIgnored = base.ignores
    ignores = { isIgnored($0) || choices.ignores($0) }
    self.spoolFolder = spoolFolder
    let prefix = folder?.appending("") ?? EntryPath("")
    self.prefix = prefix
    let items = base.items
    var excluded = base.excluded
    var excludedFolders: Set<EntryPath> = []
    var dropped: [String] = []
    var hasExcludedContent = false
    func drop(_ path: EntryPath) { if dropped.last != path.escaped { dropped.append(path.escaped) } }
    let order = items.indices.filter { position in
      let path = items[position].path
      guard path.starts(with: prefix) else {
        if path != folder { drop(path.first) }
        return false
      }
      let inner = path.suffix(from: prefix.count)
      guard inner.first != PackageLayout.metaInf else {
        drop(path.prefix(prefix.count + inner.first.count))
        return false
      }
      let isFolder = items[position].kind == .folder
      // Excluding a folder excludes its contents.
      let isInExcluded = excludedFolders.contains(inner.parent ?? EntryPath(""))
      guard isInExcluded || choices.excludes(inner, isFolder) else { return true }
      if isFolder { excludedFolders.insert(inner) }
      if !isInExcluded { excluded.add(path, isFolder: isFolder) }
      if Self.isContent(inner, items[position].kind) { hasExcludedContent = true }
      return false
    }
    (self.excluded, self.dropped) = (excluded, dropped)
    if hasExcludedContent,
      !order.contains(where: { Self.isContent(items[$0].path.suffix(from: prefix.count), items[$0].kind) })
    {
      throw AllContentExcluded(path: base.path, excluded: excluded)
    }
    let position = order.first { items[$0].path.suffix(from: prefix.count) == PackageLayout.manifest }
    let replaced = manifest.flatMap { bytes in position.map { (position: $0, bytes: bytes) } }
    self.manifest = replaced
    self.items = ContentItems(order: order.map { UInt32($0) }) { position in
      let item = items[position]
      return ContentItem(
        path: item.path.suffix(from: prefix.count), kind: item.kind,
        size: position == replaced?.position ? Int64(replaced?.bytes.count ?? 0) : item.size,
        permissions: item.permissions, index: position)
    }
  }

  /// Returns whether an item, by its path in the content folder, is content on its own; junk and links are not.
  private static func isContent(_ path: EntryPath, _ kind: ContentItem.Kind) -> Bool {
    kind == .file && path.isContent && !NameRecognizer.isJunk(path, isFolder: false)
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? {
    item.index == manifest?.position ? nil : base.recordedChecksum(of: base.items[item.index])
  }

  func transferBytes(of item: ContentItem) -> Int64 { item.size }

  func hasChanged() throws -> Bool { try base.hasChanged() }

  func makeReader() -> any ContentReader { Reader(self) }

  /// Reads the files of one source; belongs to one thread.
  private final class Reader: ContentReader {
    private let source: CleanedSource
    private let reader: any ContentReader

    init(_ source: CleanedSource) {
      self.source = source
      reader = source.base.makeReader()
    }

    /// Returns the bytes that replace an item; nil for an original item.
    private func replacement(of item: ContentItem) -> (any ByteSource)? {
      item.index == source.manifest?.position ? source.manifest.map { MemoryBytes($0.bytes) } : nil
    }

    private func original(of item: ContentItem) -> ContentItem { source.base.items[item.index] }

    func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
      guard let bytes = replacement(of: item) else { return try reader.read(original(of: item), body) }
      _ = try bytes.forEachBlock(body)
    }

    func packed(_ item: ContentItem) throws -> CompressedData {
      if let bytes = replacement(of: item) { return CompressedData(method: .stored, data: bytes) }
      let packed = try reader.packed(original(of: item))
      guard packed.method != .stored else { return packed }
      let buffer = SpoolBuffer(folder: source.spoolFolder)
      try reader.read(original(of: item)) { try buffer.append($0) }
      return CompressedData(method: .stored, data: try buffer.finish())
    }

    func content(of item: ContentItem) throws -> any ContentStream {
      if let bytes = replacement(of: item) { return StoredStream(bytes) }
      return try reader.content(of: original(of: item))
    }
  }
}
