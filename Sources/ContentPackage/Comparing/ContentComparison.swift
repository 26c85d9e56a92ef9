import SafeFiles
import Support
import ZipArchive

/// Finds the items of two sources whose content differs, on several threads and in memory that does not grow with the
/// size of the files.
struct ContentComparison {
  private let old: any ContentSource
  private let new: any ContentSource
  private let context: WorkContext
  /// The indices of items of the new source whose kind, size or checksum differs, or that cannot be compared.
  private var different: [UInt32] = []
  /// The indices, in the old and the new source, of items whose bytes must be compared.
  private var undecided: [(UInt32, UInt32)] = []

  init(_ old: any ContentSource, _ new: any ContentSource, _ context: WorkContext) {
    self.old = old
    self.new = new
    self.context = context
  }

  /// Adds two items with the same path, by their indices in the old and the new source.
  mutating func add(_ oldIndex: Int, _ newIndex: Int) {
    let (item, other) = (old.items[oldIndex], new.items[newIndex])
    guard item.kind == other.kind, item.size == other.size, item.isComparable else {
      return different.append(UInt32(newIndex))
    }
    guard item.kind == .file, item.size > 0 else { return }
    if let left = old.recordedChecksum(of: item), let right = new.recordedChecksum(of: other), left != right {
      return different.append(UInt32(newIndex))
    }
    undecided.append((UInt32(oldIndex), UInt32(newIndex)))
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
        return { index in
          let (oldIndex, newIndex) = pairs[index]
          let newItem = others[Int(newIndex)]
          return try pair.isSame(items[Int(oldIndex)].at(newItem.path), newItem) ? [] : [newIndex]
        }
      }
      try Self.checkUnchanged(in: old, new)
      return (different + found).sorted()
    } catch let unsound as UnsoundArchive {
      // If a source changed while it was read, the defect may exist in neither version.
      try Self.checkUnchanged(in: old, new)
      throw unsound
    }
  }

  private static func checkUnchanged(in sources: any ContentSource...) throws {
    for source in sources where try source.hasChanged() { throw SourceError.changed(source.path) }
  }
}

extension ContentItem {
  /// Whether the target of a link is known; packages lack damaged targets and those over the maximum length.
  fileprivate var isComparable: Bool {
    guard case .link(let target) = kind else { return true }
    return target.map { $0.count <= LinkRules.maximumTargetLength } ?? false
  }

  /// Returns the same item with a path. Items of the old source have no paths.
  func at(_ path: EntryPath) -> ContentItem {
    ContentItem(path: path, kind: kind, size: size, permissions: permissions, index: index)
  }
}
