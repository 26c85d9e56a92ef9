import PropertyList
import Support
import ZipArchive

/// What of a source takes part in a comparison.
struct ComparedContent {
  /// Folders that hold something, listed or not.
  let folders: Set<EntryPath>
  /// The manifest without its version, by key.
  let manifest: [PropertyListPair]
  private let source: any ContentSource
  /// The indices of files, links and folders that hold nothing, each path once, in the order of the bytes.
  private let compared: [UInt32]

  /// - Throws: `UnsoundArchive` if the source cannot be relied on.
  init(of review: ContentReview, cancellation: Cancellation) throws {
    source = review.source
    let items = source.items
    guard source.isReadable else { throw UnsoundArchive(path: source.path, findings: source.findings) }
    manifest = try Self.manifest(of: review)
    var folders: Set<EntryPath> = []
    let content = [UInt32](
      items.indices.lazy.filter {
        let item = items[$0]
        return item.isContent && !NameRecognizer.isJunk(item.path, isFolder: item.kind == .folder)
      }.map { UInt32($0) })
    for index in content {
      try cancellation.check()
      var parent = items[Int(index)].path.parent
      while let folder = parent, folders.insert(folder).inserted { parent = folder.parent }
    }
    self.folders = folders
    var compared: [UInt32] = []
    for index in content {
      let path = items[Int(index)].path
      let isRepeated = compared.last.map { items[Int($0)].path == path } ?? false
      if path != PackageLayout.contents, !isRepeated, !folders.contains(path) { compared.append(index) }
    }
    self.compared = compared
  }

  /// Hands on the places of items that have the same path on both sides, and of those only on one, in the order of the
  /// bytes.
  static func forEachPair(
    _ left: ComparedContent, _ right: ComparedContent, _ body: (Int?, Int?) throws -> Void
  ) throws {
    let (items, others) = (left.source.items, right.source.items)
    var rest = right.compared.lazy.map { Int($0) }[...]
    for place in left.compared.lazy.map({ Int($0) }) {
      let path = items[place].path
      while let only = rest.first, others[only].path < path { try body(nil, rest.removeFirst()) }
      let isOnBoth = rest.first.map { others[$0].path == path } ?? false
      try body(place, isOnBoth ? rest.removeFirst() : nil)
    }
    for only in rest { try body(nil, only) }
  }

  private static func manifest(of review: ContentReview) throws -> [PropertyListPair] {
    if case .damaged(let finding) = review.manifest {
      throw UnsoundArchive(path: review.source.path, findings: [finding])
    }
    let entries = review.manifest.review?.document?.entries ?? []
    return entries.filter { $0.key != ContentInfo.Key.contentVersion }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
