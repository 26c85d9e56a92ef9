#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support

/// The differences between content and a baseline, and the size of the update between them.
package struct ContentUpdate: Sendable {
  package let differences: Differences
  /// The number of bytes that an update downloads if the complete baseline is installed.
  package let downloadBytes: Int64

  /// The number of baseline files read in one batch.
  private static let batchSize = 1_000

  /// Compares reviewed content with an open baseline.
  ///
  /// - Parameters:
  ///   - old: The baseline.
  ///   - review: The review of the newer content, which must be readable.
  ///   - builder: Compresses the content of a folder.
  /// - Throws: The errors of `Differences.init`, and `CompressionError` if content cannot be compressed.
  package init(of old: UpdateBaseline, to review: ContentReview, by builder: PackageBuilder) throws {
    do {
      differences = try Differences(of: old.content, with: review, context: builder.context)
      downloadBytes = try Self.downloadBytes(differences, from: old, to: review, by: builder)
    } catch let unsound as UnsoundArchive {
      // A package being modified by another process is not damaged.
      if try old.content.hasChanged() { throw SourceError.changed(old.content.path) }
      if try review.source.hasChanged() { throw SourceError.changed(review.source.path) }
      throw unsound
    }
  }

  private static func downloadBytes(
    _ differences: Differences, from baseline: UpdateBaseline, to review: ContentReview,
    by builder: PackageBuilder
  ) throws -> Int64 {
    guard differences.count > 0 || VersionCheck(differences).isRaised else { return 0 }
    let measured = try builder.measured(review)
    let source = measured.source
    let old = baseline.content
    let missing = try missing(differences, in: source, from: old, builder.context)
    let package = PlannedPackage(measured, [])
    let known =
      try baseline.pageOutlines(for: builder, isPackage: source.kind == .package)
      ?? PlannedIndex.outlines(
        before: package, added: ItemSet(of: source.items, at: differences.added),
        removed: differences.removed)
    let index = PlannedIndex(
      of: package,
      different: ItemSet(of: source.items, at: differences.added, differences.changed),
      known: known, manifest: baseline.manifest)
    var wanted = missing
    index.forEachMissingItem { wanted.insert($0) }
    let chunks = try measured.chunks(where: wanted.contains, builder.context)
    let lost = chunks.filter { missing.contains($0.key) }
    let present = try Self.chunks(of: old, amongThoseOf: lost.values.joined(), builder.context)
    return try bytes(
      of: package.with(chunks), missing: missing, from: FileDigests(chunks: present), index, in: source,
      builder.context)
  }

  /// Returns the bytes of a first download of reviewed content.
  ///
  /// - Parameters:
  ///   - review: The review of the content, which must be readable.
  ///   - builder: Compresses the content of a folder.
  /// - Returns: The size of the download in bytes.
  /// - Throws: The errors of `init`.
  package static func bytes(ofFirst review: ContentReview, by builder: PackageBuilder) throws -> Int64 {
    let measured = try builder.measured(review)
    let package = PlannedPackage(measured, [])
    let index = PlannedIndex(of: package, different: nil, known: [])
    return try bytes(
      of: package.with(measured.chunks(builder.context)), missing: nil, from: .none, index,
      in: measured.source,
      builder.context)
  }

  /// Returns the bytes of an update. `missing` are the items whose content no installed file has, nil for all; `installed`
  /// has the chunks of installed files.
  private static func bytes(
    of package: PlannedPackage, missing: ItemSet?, from installed: FileDigests, _ index: PlannedIndex,
    in source: any ContentSource, _ context: WorkContext
  ) throws -> Int64 {
    var transfer = UpdateTransfer(from: installed)
    for (item, entry) in package.items {
      transfer.add(entry, isInstalled: missing.map { !$0.contains(item.index) } ?? false)
    }
    return transfer.bytes(
      withIndexOf: try index.bytes(package.chunks) { files in
        let found = try digests(of: files, in: source.path, context) { source.makeReader() }
        return Dictionary(found.lazy.map { ($0.index, $0.digest) }) { first, _ in first }
      })
  }

  /// Returns the indices of added or changed files whose content no baseline file has.
  private static func missing(
    _ differences: Differences, in source: any ContentSource, from old: Baseline, _ context: WorkContext
  ) throws -> ItemSet {
    let files = (differences.added + differences.changed).filter {
      let item = source.items[Int($0)]
      return item.kind == .file && item.size > 0
    }
    var missing = ItemSet(of: source.items)
    guard !files.isEmpty else { return missing }
    let sizes = Set(files.map { source.items[Int($0)].size })
    context.progress.begin(.comparing, source.path)
    var known: Set<SHA256Digest> = []
    var batch: [ContentItem] = []
    func read() throws {
      known.formUnion(try digests(of: batch, in: old.path, context) { old.makeReader() }.lazy.map(\.digest))
      batch.removeAll(keepingCapacity: true)
    }
    try old.forEachFile {
      sizes.contains($0)
    } _: {
      batch.append($0)
      if batch.count == batchSize { try read() }
    }
    try read()
    for start in stride(from: 0, to: files.count, by: batchSize) {
      let items = files[start..<min(start + batchSize, files.count)].map { source.items[Int($0)] }
      guard !known.isEmpty else {
        for item in items { missing.insert(item.index) }
        continue
      }
      let found = try digests(of: items, in: source.path, context) { source.makeReader() }
      for file in found where !known.contains(file.digest) { missing.insert(file.index) }
    }
    if try old.hasChanged() { throw SourceError.changed(old.path) }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return missing
  }

  /// Returns the digests of those of the given chunks that a file of the baseline has.
  private static func chunks(
    of old: Baseline, amongThoseOf chunks: some Sequence<Chunk>, _ context: WorkContext
  ) throws -> Set<ChunkDigest> {
    let wanted = Set(chunks.lazy.map(\.digest))
    guard !wanted.isEmpty else { return [] }
    var files: [ContentItem] = []
    try old.forEachFile {
      $0 >= ChunkCutter.minimumFileSize
    } _: {
      files.append($0)
    }
    let found = try WorkerPool.collect(count: files.count, jobs: context.jobs) { [files] in
      let reader = old.makeReader()
      return { index -> [ChunkDigest] in
        var found: [ChunkDigest] = []
        var hasher = ChunkHasher()
        func add(_ size: Int, _ digest: ChunkDigest) { if wanted.contains(digest) { found.append(digest) } }
        do {
          try reader.read(files[index]) { block in
            try context.cancellation.check()
            hasher.update(block, add)
          }
        } catch let error as ContentError {
          throw UnsoundArchive(path: old.path, findings: [error.finding])
        }
        hasher.finish(add)
        return found
      }
    }
    return Set(found)
  }

  /// Computes the digests of files, with their item indices, in no particular order.
  private static func digests(
    of items: [ContentItem], in path: String, _ context: WorkContext,
    _ makeReader: @Sendable () -> any ContentReader
  ) throws -> [(index: Int, digest: SHA256Digest)] {
    try WorkerPool.collect(count: items.count, jobs: context.jobs) {
      let reader = makeReader()
      return { index in
        var hasher = SHA256Hasher()
        do {
          try reader.read(items[index]) { block in
            try context.cancellation.check()
            hasher.update(block)
          }
        } catch let error as ContentError {
          throw UnsoundArchive(path: path, findings: [error.finding])
        }
        return [(index: items[index].index, digest: hasher.finish())]
      }
    }
  }
}
#endif
