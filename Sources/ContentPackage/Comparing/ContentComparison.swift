import SafeFiles
import Support
import ZipArchive

/// Finds the items of two sources whose content differs, on several threads. Its memory does not grow with the size of
/// the files.
struct ContentComparison {
  private let old: any ContentSource
  private let new: any ContentSource
  private let context: WorkContext
  /// Indices of items of the new source whose kind, size or checksum differs.
  private var different: [UInt32] = []
  /// Index pairs of items whose bytes must be compared.
  private var undecided: [(UInt32, UInt32)] = []

  init(_ old: any ContentSource, _ new: any ContentSource, _ context: WorkContext) {
    self.old = old
    self.new = new
    self.context = context
  }

  /// Adds the index of an item of the old source and that of the item with the same path in the new one.
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

  /// Reads the undecided files.
  ///
  /// - Returns: The indices of the different items of the new source, in the order of the items.
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
      // A defect of mixed inputs may be a defect of neither.
      try Self.refuseChanges(in: old, new)
      throw unsound
    }
  }

  private static func refuseChanges(in sources: any ContentSource...) throws {
    for source in sources where try source.hasChanged() { throw SourceError.changed(source.path) }
  }
}

extension ContentItem {
  /// Returns the same item with its path, which items of the old source lack.
  func at(_ path: EntryPath) -> ContentItem {
    ContentItem(path: path, kind: kind, size: size, permissions: permissions, index: index)
  }
}
