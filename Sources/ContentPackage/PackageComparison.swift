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
    progress.begin(.comparing, path, totalBytes: SizeRules.sum([left.bytesToRead, right.bytesToRead]))
    var (removed, added, changed): ([EntryPath], [EntryPath], [EntryPath]) = ([], [], [])
    var downloadBytes: Int64 = 0
    try ComparedSource.forEachPair(left, right) { item, other in
      switch (item, other) {
      case (let item?, let other?):
        guard try left.differs(item, from: other, in: right) else { return }
        changed.append(item.path)
        downloadBytes += right.transferBytes(of: other)
      case (let item?, nil):
        left.pass(item)
        if !right.folders.contains(item.path) { removed.append(item.path) }
      case (nil, let other?):
        right.pass(other)
        guard !left.folders.contains(other.path) else { return }
        added.append(other.path)
        downloadBytes += right.transferBytes(of: other)
      case (nil, nil): return
      }
    }
    if left.manifest != right.manifest { changed.append(PackageLayout.manifest) }
    self.removed = removed
    self.added = added
    self.changed = changed.sorted()
    self.downloadBytes = downloadBytes
  }
}

/// A source as it is compared.
private struct ComparedSource {
  let side: PackageComparison.Side
  /// Folders that hold something, listed or not.
  let folders: Set<EntryPath>
  /// The manifest without its version, by key.
  let manifest: [PropertyListPair]
  private let source: any ContentSource
  /// The indices of files, links and folders that hold nothing, each path once, in the order of the bytes.
  private let compared: [Int]
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
    var folders: Set<EntryPath> = []
    let items = source.items
    let content = items.indices.filter { items[$0].isContent && !NameRecognizer.isJunk(items[$0].path) }
    for index in content {
      var parent = items[index].path.parent
      while let folder = parent, folders.insert(folder).inserted { parent = folder.parent }
    }
    self.folders = folders
    var compared: [Int] = []
    for index in content where items[index].path != PackageLayout.contents {
      let path = items[index].path
      let isRepeated = compared.last.map { items[$0].path == path } ?? false
      if !isRepeated, !folders.contains(path) { compared.append(index) }
    }
    self.compared = compared
    manifest = try Self.manifest(of: source, path)
  }

  private var items: some Sequence<ContentItem> {
    let items = source.items
    return compared.lazy.map { items[$0] }
  }

  /// Hands on what has the same path on both sides, and what is only on one, in the order of the bytes.
  static func forEachPair(
    _ left: ComparedSource, _ right: ComparedSource, _ body: (ContentItem?, ContentItem?) throws -> Void
  ) throws {
    var others = right.items.makeIterator()
    var other = others.next()
    for item in left.items {
      while let only = other, only.path < item.path {
        try body(nil, only)
        other = others.next()
      }
      guard let match = other, match.path == item.path else {
        try body(item, nil)
        continue
      }
      try body(item, match)
      other = others.next()
    }
    while let only = other {
      try body(nil, only)
      other = others.next()
    }
  }

  /// Bytes of the files that are to be read or passed over, since no record has their checksums.
  var bytesToRead: Int64 { source is PackageSource ? 0 : SizeRules.sum(items.lazy.map(\.size)) }

  /// Counts a file that need not be read.
  func pass(_ item: ContentItem) { if !(source is PackageSource) { progress.advance(by: item.size) } }

  /// Whether an item is not the same on the other side.
  func differs(_ item: ContentItem, from other: ContentItem, in side: ComparedSource) throws -> Bool {
    guard item.kind == .file, other.kind == .file, item.size == other.size, item.size > 0 else {
      pass(item)
      side.pass(other)
      return item.kind != other.kind || item.size != other.size
    }
    return try checksum(of: item) != side.checksum(of: other)
  }

  /// Bytes that a user loads for an item.
  func transferBytes(of item: ContentItem) -> Int64 { entry(of: item)?.compressedSize ?? item.size }

  private func entry(of item: ContentItem) -> ZipEntry? {
    (source as? PackageSource)?.structure.entries[item.index]
  }

  private func checksum(of item: ContentItem) throws -> UInt32 {
    if let entry = entry(of: item) { return entry.crc32 }
    var checksum = CRC32()
    try source.makeReader().read(item) { block in
      try cancellation.check()
      checksum.update(block)
      progress.advance(by: Int64(block.byteCount))
    }
    return checksum.value
  }

  private static func manifest(of source: any ContentSource, _ path: String) throws -> [PropertyListPair] {
    guard let item = source.items.first(where: { $0.path == PackageLayout.manifest }), item.kind == .file,
      ManifestReview.sizeFinding(item.size) == nil
    else { return [] }
    let bytes: [UInt8]
    do {
      bytes = try source.bytes(of: item)
    } catch let damage as ContentDamage {
      throw UnsoundArchive(path: path, findings: [damage.finding])
    }
    let entries = (try? PropertyListDocument.parse(bytes))?.entries ?? []
    return entries.filter { $0.key != ContentInfo.Key.contentVersion }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
