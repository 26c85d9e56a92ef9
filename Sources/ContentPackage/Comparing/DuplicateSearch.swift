import SafeFiles
import Support
import ZipArchive

/// Finds files of one source with the same content, in memory that does not grow with the size of the files.
///
/// Only files with equal size and CRC-32 are compared byte by byte.
struct DuplicateSearch {
  /// The maximum number of distinct contents among files with equal size and checksum. Without this limit, forged files
  /// with equal checksums would all be compared with each other.
  private static let maximumContentCount = 8

  private let source: any ContentSource
  private let items: ContentItems
  private let context: WorkContext

  init(_ review: ContentReview, _ context: WorkContext) {
    source = review.source
    items = review.readableItems
    self.context = context
  }

  /// Runs the search.
  ///
  /// - Returns: The duplicates, most costly first.
  /// - Throws: The same errors as `ContentWeights.init`.
  func run() throws -> [ContentWeights.Duplicate] {
    var files: [Candidate] = []
    for (index, item) in items.enumerated() where item.kind == .file && item.size > 0 {
      files.append(Candidate(size: item.size, checksum: 0, index: UInt32(index)))
    }
    let bySize = Self.sorted(consume files)
    let candidates = Self.sorted(try withChecksums(Self.groups(of: bySize).flatMap { bySize[$0] }))
    let groups = Self.groups(of: candidates)
    context.progress.begin(
      .comparing, source.path,
      totalBytes: SizeRules.sum(groups.lazy.flatMap { $0.dropFirst() }.map { candidates[$0].size }))
    let found = try WorkerPool.collect(count: groups.count, jobs: context.jobs) {
      var pair = FilePair(source, source, context)
      return { index in try duplicates(among: candidates[groups[index]].map { Int($0.index) }, &pair) }
    }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return found.sorted { ($1.costBytes, $0.paths[0]) < ($0.costBytes, $1.paths[0]) }
  }

  /// A file that may have the same content as another. Candidates are grouped by sorting, because a dictionary would need
  /// an array for each file.
  private struct Candidate: Sendable {
    let size: Int64
    /// The CRC-32; 0 until `withChecksums` adds it.
    var checksum: UInt32
    let index: UInt32
  }

  /// Returns the ranges of sorted candidates that share size and checksum with at least one other candidate.
  private static func groups(of sorted: [Candidate]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var start = 0
    for end in 1..<max(1, sorted.count + 1) {
      let last = sorted[start]
      if end < sorted.count, sorted[end].size == last.size, sorted[end].checksum == last.checksum { continue }
      if end - start > 1 { groups.append(start..<end) }
      start = end
    }
    return groups
  }

  /// Returns the candidates sorted, so that those with equal size and checksum are adjacent.
  private static func sorted(_ candidates: consuming [Candidate]) -> [Candidate] {
    candidates.sort { ($0.size, $0.checksum, $0.index) < ($1.size, $1.checksum, $1.index) }
    return candidates
  }

  /// Returns the candidates with their checksums: the recorded checksum, or one computed from the file.
  private func withChecksums(_ candidates: [Candidate]) throws -> [Candidate] {
    context.progress.begin(
      .comparing, source.path,
      totalBytes: SizeRules.sum(
        candidates.lazy.filter { source.recordedChecksum(of: items[Int($0.index)]) == nil }.map(\.size)))
    return try WorkerPool.collect(count: candidates.count, jobs: context.jobs) {
      let reader = source.makeReader()
      return { index in
        try context.cancellation.check()
        var candidate = candidates[index]
        let item = items[Int(candidate.index)]
        if let recorded = source.recordedChecksum(of: item) {
          candidate.checksum = recorded
          return [candidate]
        }
        var checksum = CRC32()
        try reader.read(item) { block in
          try context.cancellation.check()
          checksum.update(block)
          context.progress.advance(by: Int64(block.byteCount))
        }
        candidate.checksum = checksum.value
        return [candidate]
      }
    }
  }

  /// Returns the groups of files with the same content among files of equal size and checksum.
  private func duplicates(among indices: [Int], _ pair: inout FilePair) throws -> [ContentWeights.Duplicate] {
    var contents: [[Int]] = []
    for index in indices {
      let same = try contents.indices.first { try pair.isSame(items[contents[$0][0]], items[index]) }
      if let same {
        contents[same].append(index)
      } else if contents.count < Self.maximumContentCount {
        contents.append([index])
      }
    }
    return contents.filter { $0.count > 1 }.map { indices in
      ContentWeights.Duplicate(
        paths: indices.map { items[$0].path }, bytes: items[indices[0]].size,
        costBytes: SizeRules.sum(indices.dropFirst().lazy.map { source.transferBytes(of: items[$0]) }))
    }
  }
}
