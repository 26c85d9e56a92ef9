import SafeFiles
import Support
import ZipArchive

extension FileTree {
  /// Returns the items that selectors may choose, sorted by path. Folders without such items are not entered.
  ///
  /// - Returns: Nil if there are more than `maximumCount` items in the entered folders.
  /// - Throws: `FileError`, `Interruption`.
  func items(
    for selectors: [AssetPackSelector], atMost maximumCount: Int = AssetPackLimits.maximumSourceItemCount,
    _ cancellation: Cancellation
  ) throws -> [Item]? {
    let selectedPaths = Self.paths(of: selectors)
    var items: [Item] = []
    var count = 0
    try visit(cancellation: cancellation) { item in
      count += 1
      if count > maximumCount { return .stop }
      let path = EntryPath(bytes: item.relativePath)
      let isWanted = selectedPaths?.contains { selected in
        path == selected || path.isBeneath(selected) || selected.isBeneath(path)
      }
      guard isWanted ?? true else { return .pass }
      items.append(item)
      return item.status.kind == .folder ? .enter : .pass
    }
    try cancellation.check()
    guard count <= maximumCount else { return nil }
    return items.sorted { $0.relativePath.lexicographicallyPrecedes($1.relativePath) }
  }

  /// Returns the files and folders that selectors choose; nil if patterns may choose any.
  private static func paths(of selectors: [AssetPackSelector]) -> [EntryPath]? {
    var paths: [EntryPath] = []
    for selector in selectors {
      switch selector {
      case .file(let path), .directory(let path), .movedFile(let path, _), .movedDirectory(let path, _):
        paths.append(EntryPath(AssetPackPath.plain(path)))
      case .pattern: return nil
      case .exclusion: continue
      }
    }
    return paths
  }
}
