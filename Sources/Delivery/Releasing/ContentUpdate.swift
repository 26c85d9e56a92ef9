package import ContentPackage
import SafeFiles
import Support

/// The differences between content and older content, and the bytes that an update between the two downloads.
package struct ContentUpdate: Sendable {
  package let differences: Differences
  /// Bytes that an update downloads, as a fetch plans it where the older content is installed whole.
  package let downloadBytes: Int64

  /// The number of files of the older content that are read in one go.
  private static let batchSize = 1_000

  /// Compares what was opened with what was reviewed.
  ///
  /// - Parameters:
  ///   - old: the older content.
  ///   - review: the review of the newer content, which can be read.
  ///   - builder: packs the content of a folder.
  /// - Throws: as `Differences.init`, and `CompressionError` where content cannot be packed.
  package init(of old: OldContent, to review: ContentReview, by builder: PackageBuilder) throws {
    do {
      differences = try Differences(of: old, with: review, context: builder.context)
      downloadBytes = try Self.downloadBytes(differences, from: old, to: review, by: builder)
    } catch let unsound as UnsoundArchive {
      // A package that another process writes to meanwhile is not damaged.
      if try old.hasChanged() { throw SourceError.changed(old.path) }
      if try review.source.hasChanged() { throw SourceError.changed(review.source.path) }
      throw unsound
    }
  }

  private static func downloadBytes(
    _ differences: Differences, from old: OldContent, to review: ContentReview, by builder: PackageBuilder
  ) throws -> Int64 {
    guard differences.count > 0 || VersionDemand(differences).isRaised else { return 0 }
    let measured = try builder.measured(review)
    let missing = try missing(differences, in: measured.source, from: old, builder.context)
    return bytes(of: PlannedPackage(measured, []), missing: missing)
  }

  /// Counts a first download of reviewed content.
  ///
  /// - Parameters:
  ///   - review: the review of content that can be read.
  ///   - builder: packs the content of a folder.
  /// - Returns: the bytes that it takes.
  /// - Throws: as `init`.
  package static func bytes(ofFirst review: ContentReview, by builder: PackageBuilder) throws -> Int64 {
    bytes(of: PlannedPackage(try builder.measured(review), []), missing: nil)
  }

  /// The bytes of an update; `missing` are the indices of the items that no installed file has the content of, nil for all.
  private static func bytes(of package: PlannedPackage, missing: Set<Int>?) -> Int64 {
    var transfer = UpdateTransfer()
    for (index, entry) in package.items {
      transfer.add(entry, isInstalled: missing.map { !$0.contains(index) } ?? false)
    }
    return transfer.bytes(withIndexOf: package.indexBytes)
  }

  /// The indices of the files that were added or changed, and whose content no older file has.
  private static func missing(
    _ differences: Differences, in source: any ContentSource, from old: OldContent, _ context: WorkContext
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

  /// The digests of files with the indices of their items, in no particular order.
  private static func digests(
    of items: [ContentItem], in path: String, _ context: WorkContext,
    _ makeReader: @Sendable () -> any ContentReader
  ) throws -> [(index: Int, digest: SHA256Digest)] {
    try WorkerPool.collect(count: items.count, jobs: context.jobs) {
      let reader = makeReader()
      return { number in
        var hasher = SHA256Hasher()
        do {
          try reader.read(items[number]) { block in
            try context.cancellation.check()
            hasher.update(block)
          }
        } catch let error as ContentError {
          throw UnsoundArchive(path: path, findings: [error.finding])
        }
        return [(index: items[number].index, digest: hasher.finish())]
      }
    }
  }
}
