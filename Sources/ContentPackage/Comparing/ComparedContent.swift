import PropertyList
import SafeFiles
package import Support
package import ZipArchive

/// The items of a source that a comparison covers: the files, links and empty folders, each path once; and the paths of
/// all non-empty folders, whether or not the source lists them.
package struct ComparedContent {
  /// The entries of the manifest except the version, sorted by key.
  let manifest: [PropertyListPair]
  let source: any ContentSource
  /// The paths of the non-empty folders, sorted by bytes.
  private let folders: [EntryPath]
  /// The indices of all other items, sorted by the bytes of the paths.
  private let compared: [UInt32]

  /// Selects the items that a comparison covers.
  ///
  /// - Throws: `UnsoundArchive` if the source is not sound.
  init(of review: ContentReview, cancellation: Cancellation) throws {
    source = review.source
    let items = source.items
    try review.checkReadable()
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
    var compared: [UInt32] = []
    for index in content {
      let path = items[Int(index)].path
      let isRepeated = compared.last.map { items[Int($0)].path == path } ?? false
      if path != PackageLayout.contents, !isRepeated, !folders.contains(path) { compared.append(index) }
    }
    self.folders = folders.sorted()
    self.compared = compared
  }

  /// Returns the paths of the files, links and empty folders that a comparison covers, sorted by bytes.
  ///
  /// - Throws: The same errors as `init`.
  package static func paths(in review: ContentReview, _ cancellation: Cancellation) throws -> [EntryPath] {
    var paths: [EntryPath] = []
    try ComparedContent(of: review, cancellation: cancellation).forEach { path, index in
      if index != nil { paths.append(path) }
    }
    return paths
  }

  /// Calls `body` with all paths, sorted by bytes, and the indices of the compared items; nil for a non-empty folder.
  func forEach(_ body: (EntryPath, _ index: Int?) throws -> Void) throws {
    var folders = folders[...]
    for index in compared.lazy.map({ Int($0) }) {
      let path = source.items[index].path
      while let folder = folders.first, folder < path { try body(folders.removeFirst(), nil) }
      try body(path, index)
    }
    for folder in folders { try body(folder, nil) }
  }

  private static func manifest(of review: ContentReview) throws -> [PropertyListPair] {
    if case .damaged(let finding) = review.manifest {
      throw UnsoundArchive(path: review.source.path, findings: [finding])
    }
    return review.manifest.review?.pairsWithoutVersion ?? []
  }
}

extension ManifestReview {
  /// All entries except the version, sorted by key.
  var pairsWithoutVersion: [PropertyListPair] {
    (document?.entries ?? []).filter { $0.key != ContentInfo.Key.contentVersion }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension ContentReview {
  /// Checks that the source can be read.
  ///
  /// - Throws: `UnsoundArchive` if the source is not sound or exceeds the size limit.
  package func checkReadable() throws(UnsoundArchive) {
    if isReadable { return }
    let reasons = source.isReadable ? findings.filter { $0.rule == .sizeOverLimit } : source.findings
    throw UnsoundArchive(path: source.path, findings: reasons)
  }

  /// The manifest; nil if it could not be read.
  package var manifestBytes: [UInt8]? { manifest.review?.bytes }

  /// Returns whether the manifest differs at most in the version from a manifest with these bytes.
  package func hasManifest(matching other: [UInt8]) -> Bool {
    manifest.review.map { ContentInfo.areEqualExceptVersion($0.bytes, other) } ?? false
  }
}
