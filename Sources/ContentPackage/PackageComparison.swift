import PropertyList
package import SafeFiles
package import ZipArchive

/// What changed between two packages or content folders.
///
/// Where both sides record a size and checksum, these decide; a file is read only where they cannot tell.
package struct PackageComparison: Sendable {
  /// One of the two sides.
  package struct Side: Sendable {
    package let path: String
    package let productIdentifier: ProductIdentifier?
    package let contentVersion: ContentVersion?
  }

  package let old: Side
  package let new: Side
  /// Files, links and empty folders that only the new side has, in the order of their bytes.
  package let added: [EntryPath]
  package let removed: [EntryPath]
  /// What has another content, kind or target; the manifest, if more than its version differs.
  package let changed: [EntryPath]
  /// Bytes of what was added or changed: in the package, or as they lie in a folder.
  package let downloadBytes: Int64

  package var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  /// Whether the new version is above the old one; false if either is not known.
  package var isVersionRaised: Bool {
    guard let old = old.contentVersion, let new = new.contentVersion else { return false }
    return old < new
  }

  /// `version/not-raised` if content changed and the version did not rise.
  package var finding: Finding? {
    guard isChanged, !isVersionRaised else { return nil }
    let (old, new) = (old.contentVersion?.text ?? "unknown", new.contentVersion?.text ?? "unknown")
    let count = added.count + removed.count + changed.count
    let versions = old == new ? "is still \(old)" : "went from \(old) to \(new)"
    return Finding(
      .versionNotRaised, at: PackageLayout.manifest,
      "content differs in \(count) place\(count == 1 ? "" : "s"), and its version \(versions), expected one above \(old)"
    )
  }

  /// Compares what two paths lead to.
  ///
  /// - Throws: `FileFailure`, `UnsoundArchive` if a package cannot be relied on, `SourceChanged`, `Interruption`.
  package init(
    of old: String, with new: String, cancellation: Cancellation, progress: WorkProgress = WorkProgress()
  ) throws {
    progress.begin(.comparing, new)
    try self.init(
      of: old, with: PackageInput.open(new), at: new, cancellation: cancellation, progress: progress)
  }

  /// Compares the package or folder at `old` with an open source that came from `path`.
  package init(
    of old: String, with new: any ContentSource, at path: String, cancellation: Cancellation,
    progress: WorkProgress
  ) throws {
    let left = try ComparedSource(PackageInput.open(old), path: old, cancellation, progress)
    let right = try ComparedSource(new, path: path, cancellation, progress)
    self.old = left.side
    self.new = right.side
    removed = left.items.keys.filter { right.items[$0] == nil && !right.folders.contains($0) }.sorted()
    added = right.items.keys.filter { left.items[$0] == nil && !left.folders.contains($0) }.sorted()
    var changed: [EntryPath] = []
    var undecided: [(ContentItem, ContentItem)] = []
    for (path, item) in left.items {
      guard let other = right.items[path] else { continue }
      if item.kind != other.kind || item.size != other.size {
        changed.append(path)
      } else if item.kind == .file, item.size > 0 {
        undecided.append((item, other))
      }
    }
    progress.begin(
      .comparing, path,
      totalBytes: SizeRules.sum([
        left.bytesToRead(undecided.map(\.0)), right.bytesToRead(undecided.map(\.1)),
      ]))
    for (item, other) in undecided where try left.checksum(of: item) != right.checksum(of: other) {
      changed.append(item.path)
    }
    if left.manifest != right.manifest { changed.append(PackageLayout.manifest) }
    self.changed = changed.sorted()
    downloadBytes = (added + changed).reduce(0) { $0 + right.transferBytes(of: $1) }
  }
}

/// A source as it is compared: what counts as content, by its path.
private struct ComparedSource {
  let side: PackageComparison.Side
  /// Files, links and folders that hold nothing.
  let items: [EntryPath: ContentItem]
  /// Folders that hold something, listed or not.
  let folders: Set<EntryPath>
  /// The manifest without its version, by key.
  let manifest: [PropertyListPair]
  private let source: any ContentSource
  private let cancellation: Cancellation
  private let progress: WorkProgress

  init(
    _ source: any ContentSource, path: String, _ cancellation: Cancellation, _ progress: WorkProgress
  ) throws {
    guard source.isReadable else { throw UnsoundArchive(path: path, findings: source.findings) }
    let review = try ContentReview(of: source, limits: Limits())
    side = .init(
      path: path, productIdentifier: review.productIdentifier, contentVersion: review.contentVersion)
    self.source = source
    self.cancellation = cancellation
    self.progress = progress
    let content = source.items.filter { $0.isContent && !NameRecognizer.isJunk($0.path) }
    var folders: Set<EntryPath> = []
    for item in content {
      var parent = item.path.parent
      while let folder = parent, folders.insert(folder).inserted { parent = folder.parent }
    }
    self.folders = folders
    items = Dictionary(
      content.filter { $0.path != PackageLayout.contents && !folders.contains($0.path) }.map {
        ($0.path, $0)
      },
      uniquingKeysWith: { first, _ in first })
    manifest = try Self.manifest(of: source)
  }

  /// Bytes of the files whose checksum no record has.
  func bytesToRead(_ files: [ContentItem]) -> Int64 {
    source is PackageSource ? 0 : SizeRules.contentBytes(of: files)
  }

  /// Bytes that a user loads for what lies at `path`.
  func transferBytes(of path: EntryPath) -> Int64 {
    guard let item = items[path] else { return 0 }
    return entry(of: item)?.compressedSize ?? item.size
  }

  private func entry(of item: ContentItem) -> ZipEntry? {
    (source as? PackageSource)?.structure.entries[item.index]
  }

  func checksum(of item: ContentItem) throws -> UInt32 {
    if let entry = entry(of: item) { return entry.crc32 }
    var checksum = CRC32()
    try source.makeReader().read(item) { block in
      try cancellation.check()
      checksum.update(block)
      progress.advance(by: Int64(block.byteCount))
    }
    return checksum.value
  }

  private static func manifest(of source: any ContentSource) throws -> [PropertyListPair] {
    guard let item = source.items.first(where: { $0.path == PackageLayout.manifest }), item.kind == .file,
      ManifestReview.sizeFinding(item.size) == nil
    else { return [] }
    let bytes: [UInt8]
    do {
      bytes = try source.bytes(of: item)
    } catch let damage as ContentDamage {
      throw UnsoundArchive(path: PackageLayout.manifest.escaped, findings: [damage.finding])
    }
    let entries = (try? PropertyListDocument.parse(bytes))?.entries ?? []
    return entries.filter { $0.key != ContentInfo.Key.contentVersion }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
