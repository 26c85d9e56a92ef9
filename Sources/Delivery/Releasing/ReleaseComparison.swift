#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// The comparison of content with a release, by the index of the release. Non-empty folders are not counted.
struct ReleaseComparison {
  let differences: Differences
  /// The head of the index of the release.
  let index: IndexHead

  /// Compares content with a release entry by entry, without keeping the names of the release in memory.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - digest: Returns the digest of the file or link at a position among the items.
  ///   - release: The release to compare with.
  ///   - reader: The reader of the store.
  ///   - visit: Receives each entry of the release.
  /// - Throws: The errors of `ReleaseContent.read`, `SourceError` or `FileError` if there is no space for a
  ///   temporary file.
  init(
    of review: ContentReview, _ digest: (Int) -> SHA256Digest, from release: Release, by reader: StoreReader,
    visiting visit: (IndexEntry) -> Void = { _ in }
  ) throws {
    var search = EntrySearch(in: review.items)
    index = try ReleaseContent.read(release, by: reader) { (entry) throws(DocumentError) in
      visit(entry)
      guard entry.path.isContent else { return }
      do throws(FileError) { try search.match(entry, digest) } catch {
        throw DocumentError(cause: SourceError.file(error))
      }
    }
    let (removed, removedFolders) = try search.removed()
    differences = Differences(
      from: .init(
        path: reader.place(of: release.package.path), review.productIdentifier, release.contentVersion),
      to: review, items: review.items, added: search.added, removed: removed,
      removedFolders: removedFolders, changed: search.changed,
      changesManifest: !review.hasManifest(matching: index.manifest), files: search.files)
  }
}

/// Matches the entries of a release, in any order, with items sorted by path.
private struct EntrySearch {
  private enum State: UInt8 {
    case missing, same, changed
  }

  private let items: ContentItems
  /// The states by item position.
  private var states: [State]
  /// The expected position of the next entry if both sides have the same order.
  private var next = 0
  /// Entries without an item, each with a unique index.
  private var others = PathSorter()
  private var otherCount: UInt32 = 0
  /// The indices of `others` that are folders.
  private var otherFolders: Set<UInt32> = []
  /// The size increases of the matched files.
  private(set) var files = ChangedFiles()

  init(in items: ContentItems) {
    self.items = items
    states = Array(repeating: .missing, count: items.count)
  }

  mutating func match(_ entry: IndexEntry, _ digest: (Int) -> SHA256Digest) throws(FileError) {
    // A folder and a file with the same path do not match: one counts as removed, the other as added.
    guard let index = index(for: entry.path), (items[index].kind == .folder) == (entry.kind == .folder) else {
      if entry.kind == .folder { otherFolders.insert(otherCount) }
      try others.append(entry.path, otherCount)
      otherCount += 1
      return
    }
    states[index] = Self.isSame(items[index], digest(index), entry) ? .same : .changed
    files.addIncrease(of: items[index], from: entry.fileSize)
    next = index + 1
  }

  /// Returns the position of the first unmatched item with this path.
  private func index(for path: EntryPath) -> Int? {
    if isFree(next, path) { return next }
    // Among items with equal paths, the matched ones come first.
    let index = items.indices.partitioningIndex { index in
      let other = items[index].path
      return other < path || (states[index] != .missing && other == path)
    }
    return isFree(index, path) ? index : nil
  }

  private func isFree(_ index: Int, _ path: EntryPath) -> Bool {
    index < items.count && states[index] == .missing && items[index].path == path
  }

  private static func isSame(_ item: ContentItem, _ digest: SHA256Digest, _ entry: IndexEntry) -> Bool {
    switch (item.kind, entry.kind) {
    case (.folder, .folder): true
    case (.file, .file), (.link, .link): item.size == entry.size && digest == entry.digest
    default: false
    }
  }

  /// The positions of unmatched items, without non-empty folders.
  var added: [UInt32] {
    let paths = items.lazy.map(\.path)
    return indices { index in
      guard states[index] == .missing, items[index].isContent else { return false }
      return items[index].kind != .folder || !Self.hasItems(in: paths[index], paths)
    }
  }

  var changed: [UInt32] { indices { states[$0] == .changed } }

  /// Returns the paths of unmatched entries, without non-empty folders, and those of the folders among them.
  consuming func removed() throws -> (all: SpooledPaths, folders: SpooledPaths) {
    let foundPaths = indices { states[$0] != .missing }.lazy.map { [items] in items[Int($0)].path }
    let paths = try others.finish()
    var reader = PathSpool.Reader(paths)
    var itemIndices: [UInt32] = []
    var full: Set<UInt32> = []
    // Folders whose path is a prefix of the current path, so that their items may still follow.
    var folders: [(path: EntryPath, index: UInt32)] = []
    while let other = try reader.next() {
      itemIndices.append(other.index)
      while let last = folders.last, !other.path.starts(with: last.path) { folders.removeLast() }
      for folder in folders where other.path.isBeneath(folder.path) { full.insert(folder.index) }
      guard otherFolders.contains(other.index) else { continue }
      if Self.hasItems(in: other.path, foundPaths) {
        full.insert(other.index)
      } else {
        folders.append(other)
      }
    }
    let removed = itemIndices.filter { !full.contains($0) }
    return (
      SpooledPaths(removed, in: paths), SpooledPaths(removed.filter(otherFolders.contains), in: paths)
    )
  }

  private func indices(where isWanted: (Int) -> Bool) -> [UInt32] {
    Array(items.indices.lazy.filter(isWanted).map { UInt32($0) })
  }

  /// Returns whether a folder has any items, among paths in byte order.
  private static func hasItems<Paths: RandomAccessCollection<EntryPath>>(
    in folder: EntryPath, _ paths: Paths
  ) -> Bool {
    let start = folder.appending([UInt8]())
    let first = paths.partitioningIndex { $0 < start }
    return first < paths.endIndex && paths[first].starts(with: start)
  }
}

extension IndexEntry {
  /// The size of a file; 0 for other kinds.
  fileprivate var fileSize: Int64 { kind == .file ? size : 0 }
}
#endif
