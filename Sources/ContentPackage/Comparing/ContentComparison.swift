import SafeFiles
import Support
import ZipArchive

/// Finds out which items of two sources have not the same content, on several threads, in memory that does not grow with
/// the files.
struct ContentComparison {
  private let old: any ContentSource
  private let new: any ContentSource
  private let context: WorkContext
  /// Where in the new source items differ, as their kind, size or checksum tells.
  private var different: [UInt32] = []
  /// Where in the two sources only the bytes can tell.
  private var undecided: [(UInt32, UInt32)] = []

  init(_ old: any ContentSource, _ new: any ContentSource, _ context: WorkContext) {
    self.old = old
    self.new = new
    self.context = context
  }

  /// Takes the places of an item of the old source and of the one with its path in the new.
  mutating func add(_ place: Int, _ otherPlace: Int) {
    let (item, other) = (old.items[place], new.items[otherPlace])
    guard item.kind == other.kind, item.size == other.size else {
      return different.append(UInt32(otherPlace))
    }
    guard item.kind == .file, item.size > 0 else { return }
    if let left = old.recordedChecksum(of: item), let right = new.recordedChecksum(of: other), left != right {
      return different.append(UInt32(otherPlace))
    }
    undecided.append((UInt32(place), UInt32(otherPlace)))
  }

  /// Reads what has to be read.
  ///
  /// - Returns: where in the new source items differ, in the order of the items.
  /// - Throws: `FileError`, `UnsoundArchive`, `SourceError`, `Interruption`.
  consuming func run() throws -> [UInt32] {
    let (old, new, pairs) = (old, new, undecided)
    let (items, others) = (old.items, new.items)
    let context = context
    context.progress.begin(
      .comparing, new.path, totalBytes: SizeRules.sum(pairs.lazy.map { items[Int($0.0)].size }))
    do {
      let found = try WorkerPool.collect(count: pairs.count, jobs: context.jobs) {
        var pair = FilePair(old, new, context)
        return { number in
          let (place, other) = pairs[number]
          let newItem = others[Int(other)]
          return try pair.isSame(items[Int(place)].at(newItem.path), newItem) ? [] : [other]
        }
      }
      try Self.refuseChanges(in: old, new)
      return (different + found).sorted()
    } catch let unsound as UnsoundArchive {
      // What is wrong with a mixture of two inputs is wrong with neither.
      try Self.refuseChanges(in: old, new)
      throw unsound
    }
  }

  private static func refuseChanges(in sources: any ContentSource...) throws {
    for source in sources where try source.hasChanged() { throw SourceError.changed(source.path) }
  }
}

extension ContentItem {
  /// The same item with its path, which the items of the old source have not.
  func at(_ path: EntryPath) -> ContentItem {
    ContentItem(path: path, kind: kind, size: size, permissions: permissions, index: index)
  }
}
