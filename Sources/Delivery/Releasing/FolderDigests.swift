import ContentPackage
import SafeFiles
import Support

/// The SHA-256 of what is in a content folder, by the places of its items.
struct FolderDigests {
  private let digests: [SHA256Digest]
  /// What is to be remembered of the files; nil if it is what was known already.
  let remembered: DigestCache?

  subscript(place: Int) -> SHA256Digest { digests[place] }

  /// Reads the files that `known` does not tell of, on several threads.
  ///
  /// - Throws: `FileError`, `SourceError` if a file is written meanwhile, `Interruption`.
  init(
    of items: ContentItems, in source: FolderSource, knowing known: DigestCache, _ context: WorkContext
  ) throws {
    // A file that changes after it was opened has a later time of change, if its own is before this moment.
    let start = FileStatus.Time.now
    var digests = [SHA256Digest](repeating: .none, count: items.count)
    var unknown: [UInt32] = []
    for (place, item) in items.enumerated() {
      switch item.kind {
      case .link(let target): digests[place] = SHA256Digest(of: target ?? [])
      case .folder: break
      case .file, .special:
        guard let digest = source.status(of: item).flatMap(known.digest(of:)) else {
          unknown.append(UInt32(place))
          continue
        }
        digests[place] = digest
      }
    }
    for (place, digest) in try Self.read(unknown, of: items, in: source, context) {
      digests[Int(place)] = digest
    }
    self.digests = digests
    remembered =
      unknown.isEmpty ? nil : Self.records(of: items, in: source, digests, before: start)
  }

  private static func read(
    _ places: [UInt32], of items: ContentItems, in source: FolderSource, _ context: WorkContext
  ) throws -> [(UInt32, SHA256Digest)] {
    context.progress.begin(
      .comparing, source.path, totalBytes: SizeRules.sum(places.lazy.map { items[Int($0)].size }))
    return try WorkerPool.collect(count: places.count, jobs: context.jobs) {
      let reader = source.makeReader()
      return { number in
        var hasher = SHA256Hasher()
        try reader.read(items[Int(places[number])]) { block in
          try context.cancellation.check()
          hasher.update(block)
          context.progress.advance(by: Int64(block.byteCount))
        }
        return [(places[number], hasher.finish())]
      }
    }
  }

  private static func records(
    of items: ContentItems, in source: FolderSource, _ digests: [SHA256Digest], before start: FileStatus.Time
  ) -> DigestCache {
    DigestCache(
      items.indices.compactMap { place in
        guard items[place].kind == .file, let status = source.status(of: items[place]),
          DigestCache.canTellChanges(of: status, since: start)
        else { return nil }
        return DigestCache.Record(
          identity: status.identity, size: status.size, modified: status.modificationTime,
          changed: status.changeTime, digest: digests[place])
      })
  }
}
