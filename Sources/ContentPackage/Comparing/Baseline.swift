import PropertyList
package import Support

/// The old side of a comparison. Its paths are not in memory, because those of the new side are.
package struct Baseline: Sendable {
  package let side: PackageComparison.Side
  let manifest: [PropertyListPair]
  /// Without paths.
  let source: any ContentSource
  let paths: PathSpool

  private static let folder = UInt32.max

  /// Opens a package or content folder.
  ///
  /// - Throws: `UnsoundArchive` if it cannot be relied on, `FileError` also if there is no room for a temporary file,
  ///   `SourceError`, `Interruption`.
  package init(
    opening path: String, _ choices: FolderChoices = FolderChoices(), cancellation: Cancellation
  ) throws {
    try self.init(
      of: ContentReview(opening: path, choices, for: .compare, cancellation: cancellation),
      cancellation: cancellation)
  }

  /// Keeps a reviewed package or content folder without its paths in memory.
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

  /// Calls `body` with the indices of items that have the same path on both sides, or a path on only one, sorted by
  /// bytes. Non-empty folders are excluded, also as the counterpart of an empty one.
  func forEachPair(with new: ComparedContent, _ body: (Int?, Int?) throws -> Void) throws {
    var reader = PathSpool.Reader(paths)
    var next = try reader.next()
    func reportOld(_ number: UInt32) throws {
      if number != Self.folder { try body(Int(number), nil) }
    }
    try new.forEach { path, index in
      while let old = next, old.path < path {
        try reportOld(old.number)
        next = try reader.next()
      }
      guard let old = next, old.path == path else {
        if let index { try body(nil, index) }
        return
      }
      next = try reader.next()
      switch (old.number == Self.folder ? nil : Int(old.number), index) {
      case (nil, nil): return
      case (nil, let index?): if !new.source.isFolder(index) { try body(nil, index) }
      case (let number?, nil): if !source.isFolder(number) { try body(number, nil) }
      case (let number?, let index?): try body(number, index)
      }
    }
    while let old = next {
      try reportOld(old.number)
      next = try reader.next()
    }
  }
}

// MARK: - Reading

extension Baseline {
  /// Calls `body` with the files of some sizes, with their paths, sorted by bytes.
  ///
  /// - Throws: what `body` throws; `SourceError` if the paths cannot be read.
  package func forEachFile(
    where isWanted: (_ size: Int64) -> Bool, _ body: (ContentItem) throws -> Void
  ) throws {
    var reader = PathSpool.Reader(paths)
    while let (path, number) = try reader.next() {
      guard number != Self.folder else { continue }
      let item = source.items[Int(number)]
      if item.kind == .file, isWanted(item.size) { try body(item.at(path)) }
    }
  }

  /// A reader of the files, for the use of one thread.
  package func makeReader() -> any ContentReader { source.makeReader() }

  /// Returns whether the source was written since it was opened, so that the bytes read may be inconsistent.
  package func hasChanged() throws -> Bool { try source.hasChanged() }

  /// The path of the package or folder, which is not safe to print.
  package var path: String { source.path }
}

extension ContentSource {
  fileprivate func isFolder(_ index: Int) -> Bool { items[index].kind == .folder }
}
