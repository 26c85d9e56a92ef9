import PropertyList
package import Support

/// The old side of a comparison. Its paths are in a spool instead of memory, which already holds those of the new side.
package struct Baseline: Sendable {
  /// The path, the identity and the excluded items of the source.
  package let side: PackageComparison.Side
  let manifest: [PropertyListPair]
  /// The source, whose items have no paths.
  let source: any ContentSource
  let paths: PathSpool

  private static let folder = UInt32.max

  /// Opens a package or content folder.
  ///
  /// - Throws: `UnsoundArchive` if the source is not sound, `FileError` if the source cannot be opened or there is no
  ///   room for a temporary file, `SourceError`, `Interruption`.
  package init(
    opening path: String, _ choices: FolderChoices = FolderChoices(), cancellation: Cancellation
  ) throws {
    try self.init(
      of: ContentReview(opening: path, choices, for: .compare, cancellation: cancellation),
      cancellation: cancellation)
  }

  /// Creates a baseline from a reviewed package or content folder, and moves its paths to a spool.
  ///
  /// - Throws: The same errors as the other `init`.
  package init(of review: ContentReview, cancellation: Cancellation) throws {
    let content = try ComparedContent(of: review, cancellation: cancellation)
    side = PackageComparison.Side(review)
    manifest = content.manifest
    var writer = PathSpool.Writer()
    try content.forEach { path, index in try writer.append(path, index.map { UInt32($0) } ?? Self.folder) }
    paths = try writer.finish()
    source = content.source.withoutPaths()
  }

  /// Calls `body` with the indices of the old and the new item at each path, sorted by bytes; nil for the side without an
  /// item. Non-empty folders are excluded, and so is an empty folder that is a non-empty folder on the other side.
  func forEachPair(with new: ComparedContent, _ body: (Int?, Int?) throws -> Void) throws {
    var reader = PathSpool.Reader(paths)
    var next = try reader.next()
    func reportOld(_ index: UInt32) throws {
      if index != Self.folder { try body(Int(index), nil) }
    }
    try new.forEach { path, newIndex in
      while let old = next, old.path < path {
        try reportOld(old.index)
        next = try reader.next()
      }
      guard let old = next, old.path == path else {
        if let newIndex { try body(nil, newIndex) }
        return
      }
      next = try reader.next()
      switch (old.index == Self.folder ? nil : Int(old.index), newIndex) {
      case (nil, nil): return
      case (nil, let newIndex?): if !new.source.isFolder(newIndex) { try body(nil, newIndex) }
      case (let oldIndex?, nil): if !source.isFolder(oldIndex) { try body(oldIndex, nil) }
      case (let oldIndex?, let newIndex?): try body(oldIndex, newIndex)
      }
    }
    while let old = next {
      try reportOld(old.index)
      next = try reader.next()
    }
  }
}

// MARK: - Reading

extension Baseline {
  /// Calls `body` with each file whose size `isWanted` accepts, sorted by the bytes of the paths.
  ///
  /// - Throws: The errors of `body`; `SourceError` if the paths cannot be read.
  package func forEachFile(
    where isWanted: (_ size: Int64) -> Bool, _ body: (ContentItem) throws -> Void
  ) throws {
    var reader = PathSpool.Reader(paths)
    while let (path, index) = try reader.next() {
      guard index != Self.folder else { continue }
      let item = source.items[Int(index)]
      if item.kind == .file, isWanted(item.size) { try body(item.at(path)) }
    }
  }

  /// Returns a reader of the files for one thread.
  package func makeReader() -> any ContentReader { source.makeReader() }

  /// Returns whether the source was written since it was opened, so that the bytes read may be inconsistent.
  package func hasChanged() throws -> Bool { try source.hasChanged() }

  /// The path of the package or folder, which is not safe to print.
  package var path: String { source.path }
}

extension ContentSource {
  fileprivate func isFolder(_ index: Int) -> Bool { items[index].kind == .folder }
}
