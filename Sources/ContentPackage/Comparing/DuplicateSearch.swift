import SafeFiles
import Support
import ZipArchive

/// Finds files of one source that have the same content, in memory that does not grow with the files.
///
/// Only files of one size and one CRC-32 are compared, byte by byte.
struct DuplicateSearch {
  /// Of files with one size and checksum, at most this many contents are told apart. Files that were made to have one
  /// checksum would otherwise be compared each with each.
  private static let mostContents = 8

  private let source: any ContentSource
  private let items: ContentItems
  private let context: WorkContext

  init(_ review: ContentReview, _ context: WorkContext) {
    source = review.source
    items = review.readableItems
    self.context = context
  }

  /// - Returns: what was found, those that cost most first.
  /// - Throws: as `ContentWeights.init`.
  func run() throws -> [ContentWeights.Duplicate] {
    let candidates = groups(of: items.indices.filter { items[$0].kind == .file && items[$0].size > 0 }) {
      items[$0].size
    }
    let alike = try withChecksums(candidates.flatMap(\.self))
    let groups = groups(of: alike) { Key(size: items[$0.place].size, checksum: $0.checksum) }
    context.progress.begin(
      .comparing, source.path,
      totalBytes: SizeRules.sum(groups.lazy.flatMap { $0.dropFirst() }.map { items[$0.place].size }))
    let found = try WorkerPool.collect(count: groups.count, jobs: context.jobs) {
      var pair = FilePair(source, source, context)
      return { number in try duplicates(among: groups[number].map(\.place), &pair) }
    }
    if try source.hasChanged() { throw SourceError.changed(source.path) }
    return found.sorted { ($1.costBytes, $0.paths[0]) < ($0.costBytes, $1.paths[0]) }
  }

  private struct Key: Hashable {
    let size: Int64
    let checksum: UInt32
  }

  private struct Checksummed: Sendable {
    let place: Int
    let checksum: UInt32
  }

  /// The elements that have a key in common with others, in groups.
  private func groups<Element, Key: Hashable>(of elements: [Element], by key: (Element) -> Key) -> [[Element]]
  {
    Dictionary(grouping: elements, by: key).values.filter { $0.count > 1 }
  }

  /// Takes the checksums from the records, or else of the files.
  private func withChecksums(_ places: [Int]) throws -> [Checksummed] {
    context.progress.begin(
      .comparing, source.path,
      totalBytes: SizeRules.sum(
        places.lazy.map { items[$0] }.filter { source.recordedChecksum(of: $0) == nil }.map(\.size)))
    return try WorkerPool.collect(count: places.count, jobs: context.jobs) {
      let reader = source.makeReader()
      return { number in
        try context.cancellation.check()
        let item = items[places[number]]
        if let recorded = source.recordedChecksum(of: item) {
          return [Checksummed(place: places[number], checksum: recorded)]
        }
        var checksum = CRC32()
        try reader.read(item) { block in
          try context.cancellation.check()
          checksum.update(block)
          context.progress.advance(by: Int64(block.byteCount))
        }
        return [Checksummed(place: places[number], checksum: checksum.value)]
      }
    }
  }

  /// The files among some of one size that have the same content.
  private func duplicates(among places: [Int], _ pair: inout FilePair) throws -> [ContentWeights.Duplicate] {
    var contents: [[Int]] = []
    for place in places.sorted() {
      let same = try contents.indices.first { try pair.isSame(items[contents[$0][0]], items[place]) }
      if let same {
        contents[same].append(place)
      } else if contents.count < Self.mostContents {
        contents.append([place])
      }
    }
    return contents.filter { $0.count > 1 }.map { places in
      ContentWeights.Duplicate(
        paths: places.map { items[$0].path }, bytes: items[places[0]].size,
        costBytes: SizeRules.sum(places.dropFirst().lazy.map { source.transferBytes(of: items[$0]) }))
    }
  }
}
