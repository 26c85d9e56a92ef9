#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support
import Synchronization

/// The SHA-256 digests of a content folder's items, by item position.
struct FolderDigests {
  private let digests: [SHA256Digest]
  /// Whether any file was missing from the cache.
  private let hasNew: Bool
  /// The time before the first file was read. If the change time of a file precedes it by the granularity of the clock,
  /// any later write alters the change time.
  private let start: FileStatus.Time

  subscript(index: Int) -> SHA256Digest { digests[index] }

  /// Reads the files that `known` lacks, on several threads.
  ///
  /// - Throws: `FileError`, `SourceError` if a file is modified meanwhile, `Interruption`.
  init(
    of items: ContentItems, in source: FolderSource, knowing known: DigestCache, _ context: WorkContext
  ) throws {
    start = FileStatus.Time.now
    var digests = [SHA256Digest](repeating: .none, count: items.count)
    var unknown: [UInt32] = []
    for (index, item) in items.enumerated() {
      switch item.kind {
      case .link(let target): digests[index] = SHA256Digest(of: target ?? [])
      case .folder: break
      case .file, .special:
        guard let digest = source.status(of: item).flatMap(known.digest(of:)) else {
          unknown.append(UInt32(index))
          continue
        }
        digests[index] = digest
      }
    }
    hasNew = !unknown.isEmpty
    self.digests = hasNew ? try Self.reading(unknown, of: items, in: source, into: digests, context) : digests
  }

  private static func reading(
    _ indices: [UInt32], of items: ContentItems, in source: FolderSource, into digests: [SHA256Digest],
    _ context: WorkContext
  ) throws -> [SHA256Digest] {
    context.progress.begin(
      .comparing, source.path, totalBytes: SizeRules.sum(indices.lazy.map { items[Int($0)].size }))
    let digests = Mutex(digests)
    try WorkerPool.forEach(count: indices.count, jobs: context.jobs) {
      let reader = source.makeReader()
      return { position in
        let index = Int(indices[position])
        var hasher = SHA256Hasher()
        try reader.read(items[index]) { block in
          try context.cancellation.check()
          hasher.update(block)
          context.progress.advance(by: Int64(block.byteCount))
        }
        let digest = hasher.finish()
        digests.withLock { $0[index] = digest }
      }
    }
    return digests.withLock(\.self)
  }

  /// Returns the cache of the digests; nil if no digest is new.
  func remembered(of items: ContentItems, in source: FolderSource) -> DigestCache? {
    guard hasNew else { return nil }
    return DigestCache(of: items.indices) { index in
      let item = items[index]
      guard item.kind == .file, let status = source.status(of: item),
        DigestCache.canDetectChanges(of: status, since: start)
      else { return nil }
      return DigestCache.Record(
        identity: status.identity, size: status.size, modified: status.modificationTime,
        changed: status.changeTime, digest: digests[index])
    }
  }
}
#endif
