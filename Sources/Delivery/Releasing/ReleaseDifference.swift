package import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// What differs between content and a release, as the index of the release tells. That a folder holds something is not
/// told.
package struct ReleaseDifference: Sendable {
  /// Where among the items of the content stand files, links and empty folders that the release has not.
  package let added: [UInt32]
  /// Files, links and empty folders that only the release has, in the order of the bytes.
  package let removed: SpooledPaths
  /// Where stands what has another content, kind or target.
  package let changed: [UInt32]
  /// Whether the manifests differ in more than the version.
  package let changesManifest: Bool

  /// In how many places they differ.
  var count: Int { added.count + removed.count + changed.count + (changesManifest ? 1 : 0) }

  /// Compares what would be packed with a release, entry by entry: the names of the content are in memory, and those of
  /// the release would be too many.
  ///
  /// - Parameters:
  ///   - review: of the content.
  ///   - digest: gives the digest of a file or link by its place among the items.
  ///   - release: what is compared with.
  ///   - reader: of the store.
  ///   - note: gets each entry of the release.
  /// - Throws: as `ReleaseContent.read`, `SourceError` if there is no room for a temporary file.
  init(
    of review: ContentReview, _ digest: (Int) -> SHA256Digest, from release: Release, by reader: StoreReader,
    noting note: (IndexEntry) -> Void = { _ in }
  ) throws {
    var search = EntrySearch(in: review.items)
    let manifest = try ReleaseContent.read(release, by: reader) { (entry) throws(DocumentError) in
      note(entry)
      guard entry.path.isContent else { return }
      do throws(FileError) { try search.take(entry, digest) } catch { throw DocumentError(.file(error)) }
    }
    removed = try search.removed()
    added = search.added
    changed = search.changed
    changesManifest = !review.hasManifest(likeThat: manifest)
  }
}

/// Finds the entries of a release, which come in any order, among items that are sorted by their paths.
private struct EntrySearch {
  private enum State: UInt8 {
    case missing, same, changed
  }

  private let items: ContentItems
  /// By the places of the items.
  private var states: [State]
  /// Where the next entry is to be expected, if both sides have the same order.
  private var next = 0
  /// Entries that belong to no item, each under another number.
  private var others = PathSorter()
  private var otherCount: UInt32 = 0
  /// Which of the others are folders.
  private var otherFolders: Set<UInt32> = []

  init(in items: ContentItems) {
    self.items = items
    states = Array(repeating: .missing, count: items.count)
  }

  mutating func take(_ entry: IndexEntry, _ digest: (Int) -> SHA256Digest) throws(FileError) {
    guard let place = place(for: entry.path) else {
      if entry.kind == .folder { otherFolders.insert(otherCount) }
      try others.append(entry.path, otherCount)
      otherCount += 1
      return
    }
    states[place] = Self.isSame(items[place], digest(place), entry) ? .same : .changed
    next = place + 1
  }

  /// The first item with this path that belongs to no entry yet.
  private func place(for path: EntryPath) -> Int? {
    if isFree(next, path) { return next }
    // Of several items with one path, those that belong to an entry come first.
    let place = items.indices.partitioningIndex { place in
      let other = items[place].path
      return other < path || (states[place] != .missing && other == path)
    }
    return isFree(place, path) ? place : nil
  }

  private func isFree(_ place: Int, _ path: EntryPath) -> Bool {
    place < items.count && states[place] == .missing && items[place].path == path
  }

  private static func isSame(_ item: ContentItem, _ digest: SHA256Digest, _ entry: IndexEntry) -> Bool {
    switch (item.kind, entry.kind) {
    case (.folder, .folder): true
    case (.file, .file), (.link, .link): item.size == entry.size && digest == entry.digest
    default: false
    }
  }

  /// The places of items that no entry was found for, without folders that hold something.
  var added: [UInt32] {
    let paths = items.lazy.map(\.path)
    return places { place in
      guard states[place] == .missing, items[place].isContent else { return false }
      return items[place].kind != .folder || !Self.hasItems(in: paths[place], paths)
    }
  }

  var changed: [UInt32] { places { states[$0] == .changed } }

  /// The paths of entries that no item was found for, without folders that hold something.
  consuming func removed() throws -> SpooledPaths {
    let foundPaths = places { states[$0] != .missing }.lazy.map { [items] in items[Int($0)].path }
    let paths = try others.finish()
    var reader = PathSpool.Reader(paths)
    var numbers: [UInt32] = []
    var full: Set<UInt32> = []
    // Folders with whose bytes the path begins, so that what they hold may be still to come.
    var folders: [(path: EntryPath, number: UInt32)] = []
    while let other = try reader.next() {
      numbers.append(other.number)
      while let last = folders.last, !other.path.starts(with: last.path) { folders.removeLast() }
      for folder in folders where other.path.isBeneath(folder.path) { full.insert(folder.number) }
      guard otherFolders.contains(other.number) else { continue }
      if Self.hasItems(in: other.path, foundPaths) {
        full.insert(other.number)
      } else {
        folders.append(other)
      }
    }
    return SpooledPaths(numbers.filter { !full.contains($0) }, in: paths)
  }

  private func places(where isWanted: (Int) -> Bool) -> [UInt32] {
    Array(items.indices.lazy.filter(isWanted).map { UInt32($0) })
  }

  /// Whether there is something in a folder, among paths that are sorted by their bytes.
  private static func hasItems<Paths: RandomAccessCollection<EntryPath>>(
    in folder: EntryPath, _ paths: Paths
  ) -> Bool {
    let start = folder.appending([UInt8]())
    let first = paths.partitioningIndex { $0 < start }
    return first < paths.endIndex && paths[first].starts(with: start)
  }
}
