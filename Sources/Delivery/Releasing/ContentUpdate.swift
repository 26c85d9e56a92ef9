package import ContentPackage
import SafeFiles
import Support

/// The differences between content and a baseline, and the size of the update between them.
package struct ContentUpdate: Sendable {
  package let differences: Differences
  /// The bytes that an update downloads if the baseline is installed completely.
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
  package init(of old: Baseline, to review: ContentReview, by builder: PackageBuilder) throws {
    do {
      differences = try Differences(of: old, with: review, context: builder.context)
      downloadBytes = try Self.downloadBytes(differences, from: old, to: review, by: builder)
    } catch let unsound as UnsoundArchive {
      // A package being modified by another process is not damaged.
      if try old.hasChanged() { throw SourceError.changed(old.path) }
      if try review.source.hasChanged() { throw SourceError.changed(review.source.path) }
      throw unsound
    }
  }

  private static func downloadBytes(
    _ differences: Differences, from old: Baseline, to review: ContentReview, by builder: PackageBuilder
  ) throws -> Int64 {
    guard differences.count > 0 || VersionCheck(differences).isRaised else { return 0 }
    let measured = try builder.measured(review)
    let source = measured.source
    let missing = try missing(differences, in: source, from: old, builder.context)
    let added = Set(differences.addedItems.lazy.map { source.items[Int($0)].index })
    let package = PlannedPackage(measured, [])
    let index = try PlannedIndex(
      of: package, different: added.union(differences.changedItems.lazy.map { source.items[Int($0)].index }),
      added: added, removed: differences.removed)
    return try bytes(of: package, missing: missing, index, in: source, builder.context)
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
    let index = try PlannedIndex(of: package, different: nil, added: [], removed: nil)
    return try bytes(of: package, missing: nil, index, in: measured.source, builder.context)
  }

  /// Returns the bytes of an update; `missing` are the indices of items that no installed file contains, nil for all.
  private static func bytes(
    of package: PlannedPackage, missing: Set<Int>?, _ index: PlannedIndex, in source: any ContentSource,
    _ context: WorkContext
  ) throws -> Int64 {
    var transfer = UpdateTransfer()
    for (index, entry) in package.items {
      transfer.add(entry, isInstalled: missing.map { !$0.contains(index) } ?? false)
    }
    return transfer.bytes(withIndexOf: try index.bytes(digests(of: index.items, in: source, context)))
  }

  /// Returns the digests of files by item index.
  private static func digests(
    of indices: [Int], in source: any ContentSource, _ context: WorkContext
  ) throws -> [SHA256Digest] {
    let wanted = Set(indices)
    let files = source.items.indices.filter {
      source.items[$0].kind == .file && wanted.contains(source.items[$0].index)
    }
    var found = [SHA256Digest](repeating: .none, count: source.items.lazy.map { $0.index + 1 }.max() ?? 0)
    for start in stride(from: 0, to: files.count, by: batchSize) {
      let batch = files[start..<min(start + batchSize, files.count)].map { source.items[$0] }
      for (index, digest) in try digests(of: batch, in: source.path, context, { source.makeReader() }) {
        found[index] = digest
      }
    }
    return found
  }

  /// Returns the indices of added or changed files whose content no baseline file has.
  private static func missing(
    _ differences: Differences, in source: any ContentSource, from old: Baseline, _ context: WorkContext
  ) throws -> Set<Int> {
    let files = (differences.addedItems + differences.changedItems).filter {
      let item = source.items[Int($0)]
      return item.kind == .file && item.size > 0
    }
    guard !files.isEmpty else { return [] }
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
    var missing: Set<Int> = []
    for start in stride(from: 0, to: files.count, by: batchSize) {
      let items = files[start..<min(start + batchSize, files.count)].map { source.items[Int($0)] }
      guard !known.isEmpty else {
        missing.formUnion(items.lazy.map(\.index))
        continue
      }
      let found = try digests(of: items, in: source.path, context) { source.makeReader() }
      missing.formUnion(found.lazy.filter { !known.contains($0.digest) }.map(\.index))
    }
    if try old.hasChanged() { throw SourceError.changed(old.path) }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return missing
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
