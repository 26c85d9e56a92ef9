import SafeFiles
import Support
import ZipArchive

/// The items of a folder, in listing order. The paths share memory.
struct FolderItems: Sendable {
  private(set) var paths = PathList()
  private(set) var statuses: [FileStatus] = []
  private(set) var linkTargets = LinkTargets()
  private(set) var excluded = ExcludedItems()
  /// Whether the file system stores permissions, instead of reporting the same permissions for every file.
  let recordsPermissions: Bool

  /// Lists a tree, except for iapkg's own items at its root and the content of junk folders. Stops when there are more
  /// items than a package may have.
  ///
  /// - Parameters:
  ///   - tree: The folder.
  ///   - name: The name of a folder that precedes all paths; empty for none.
  ///   - choices: The user's settings, which can exclude more items.
  ///   - cancellation: Ends the walk early.
  /// - Throws: `FileError` for a folder that cannot be listed, `AllContentExcluded` if the settings exclude all content,
  ///   `Interruption`.
  init(
    of tree: FileTree, named name: [UInt8], _ choices: FolderChoices, cancellation: Cancellation
  ) throws {
    let prefixLength = name.isEmpty ? 0 : name.count + 1
    var paths = PathList()
    var statuses: [FileStatus] = []
    var linkTargets = LinkTargets()
    var excluded = ExcludedItems()
    try tree.visit(named: name, cancellation: cancellation) { item in
      let path = EntryPath(bytes: item.relativePath)
      if PackageLayout.isOwnName(path.name), (path.parent?.bytes ?? []) == name { return .pass }
      if choices.excludes(path.suffix(from: prefixLength), item.status.kind == .folder) {
        excluded.add(path, isFolder: item.status.kind == .folder)
        return .pass
      }
      if let target = item.linkTarget { linkTargets.append(target, of: paths.count) }
      paths.append(path)
      statuses.append(item.status)
      if paths.count > Limits.maximumEntryCount { return .stop }
      return item.status.kind == .folder && !NameRecognizer.isJunk(path, isFolder: true) ? .enter : .pass
    }
    try cancellation.check()
    (self.paths, self.statuses, self.linkTargets) = (paths, statuses, linkTargets)
    self.excluded = excluded
    recordsPermissions = !tree.mayLackPermissions || !Self.areAllExecutable(statuses)
    guard !excluded.isEmpty else { return }
    let hasContent = statuses.indices.contains { Self.isContent(paths[$0], statuses[$0]) }
    guard !hasContent, try Self.hasContent(tree, named: name, cancellation) else { return }
    throw AllContentExcluded(path: tree.path, excluded: excluded)
  }

  /// Returns whether a tree has content, ignoring the user's settings.
  private static func hasContent(
    _ tree: FileTree, named name: [UInt8], _ cancellation: Cancellation
  ) throws -> Bool {
    var hasContent = false
    try tree.visit(named: name, cancellation: cancellation) { item in
      let path = EntryPath(bytes: item.relativePath)
      if PackageLayout.isOwnName(path.name), (path.parent?.bytes ?? []) == name { return .pass }
      hasContent = isContent(path, item.status)
      if hasContent { return .stop }
      return item.status.kind == .folder ? .enter : .pass
    }
    try cancellation.check()
    return hasContent
  }

  /// Returns whether an item is content by itself. Links are not, because they need files, and junk is never packed.
  private static func isContent(_ path: EntryPath, _ status: FileStatus) -> Bool {
    status.kind != .folder && status.kind != .link && path.isContent
      && !NameRecognizer.isJunk(path, isFolder: false)
  }

  /// Returns whether every file is executable for every user, as a file system without permissions reports by default.
  static func areAllExecutable(_ statuses: [FileStatus]) -> Bool {
    statuses.allSatisfy { $0.kind != .file || $0.permissions & 0o111 == 0o111 }
  }

  var count: Int { statuses.count }

  /// Returns the same items with another size of one file.
  func with(size: Int64, at index: Int) -> FolderItems {
    var items = self
    items.statuses[index] = statuses[index].with(size: size)
    return items
  }

  /// Returns the same items with empty paths.
  func withoutPaths() -> FolderItems {
    var items = self
    items.paths = PathList(repeatElement(EntryPath(""), count: count))
    return items
  }

  /// Returns the indices of all items, sorted by the bytes of their paths.
  ///
  /// - Throws: `Interruption`.
  func order(_ cancellation: Cancellation) throws -> [UInt32] {
    var order = statuses.indices.map { UInt32($0) }
    try order.sort {
      try cancellation.check()
      return paths[Int($0)] < paths[Int($1)]
    }
    return order
  }
}
