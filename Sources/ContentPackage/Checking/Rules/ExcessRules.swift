import ZipArchive

/// The limits of all paths of a package together, which keep memory, disk space and time in proportion to the package.
package enum ExcessRules {
  /// Returns the finding if there are more items, more bytes of names, or more implied folders than real content has.
  package static func finding(for items: ContentItems) -> Finding? {
    guard items.count <= Limits.maximumEntryCount else {
      return Finding(
        .pathTooLong,
        "there are more than \(Limits.maximumEntryCount) files and folders, the maximum of a package")
    }
    let bytes = items.reduce(0) { $0 + nameBytes(of: $1) }
    let maximumByteCount = Limits.maximumNameBytes(for: items.count)
    guard bytes <= maximumByteCount else {
      return Finding(
        .pathTooLong,
        """
        the paths and link targets of \(items.count) entries have \(bytes) bytes, expected at most \(maximumByteCount)
        """)
    }
    let folders = PathTree.impliedFolderCount(items.lazy.map { ($0.path, $0.kind == .folder) })
    let maximumFolderCount = min(
      items.count + Limits.maximumSurplusFolderCount, Limits.maximumEntryCount - items.count)
    guard folders <= maximumFolderCount else {
      return Finding(
        .pathTooLong,
        "the paths of \(items.count) entries imply \(folders) more folders, expected at most \(maximumFolderCount)"
      )
    }
    return nil
  }

  private static func nameBytes(of item: ContentItem) -> Int {
    guard case .link = item.kind else { return item.path.count }
    return item.path.count + Int(min(item.size, Limits.maximumLinkTargetBytes))
  }
}
