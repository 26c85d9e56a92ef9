import Support
package import ZipArchive

/// A file or folder that selectors may choose.
package struct SelectableItem: Sendable {
  /// The path relative to the source root.
  package let path: EntryPath
  package let isFolder: Bool
  /// The size in bytes.
  package let size: Int64

  package init(path: EntryPath, isFolder: Bool, size: Int64) {
    self.path = path
    self.isFolder = isFolder
    self.size = size
  }
}

/// The files that the selectors of a manifest choose.
///
/// Patterns follow gitignore(5) from the source root: `*` and `?` match no slash, and `**` any number of folders. Apple
/// does not document the syntax of `filePattern` and `fileExclusion`.
package struct AssetPackSelection: Sendable {
  /// The path of each file in the pack, and its path relative to the source root.
  package private(set) var sources: [EntryPath: EntryPath] = [:]
  /// The paths in the pack that two different files would have.
  package private(set) var conflicts: [EntryPath] = []
  /// The indices of the selectors that match nothing.
  package private(set) var unmatched: [Int] = []
  /// The sizes of all selected files together, in bytes.
  package private(set) var byteCount: Int64 = 0

  /// Applies selectors to the items below the source root.
  package init(_ selectors: [AssetPackSelector], to items: [SelectableItem]) {
    let files = items.filter { !$0.isFolder }
    var excluded: Set<EntryPath> = []
    for (index, selector) in selectors.enumerated() {
      guard case .exclusion(let text) = selector else { continue }
      let pattern = Self.pattern(text)
      let found = items.filter { pattern?.matches($0.path.bytes, isFolder: $0.isFolder) ?? false }
      if found.isEmpty { unmatched.append(index) }
      excluded.formUnion(found.map(\.path))
    }
    var taken: Set<EntryPath> = []
    for (index, selector) in selectors.enumerated() {
      if case .exclusion = selector { continue }
      var isMatched = false
      for file in files {
        let path = file.path
        guard let destination = Self.destination(of: path, by: selector) else { continue }
        isMatched = true
        guard !Self.isExcluded(path, by: excluded) else { continue }
        if let other = sources.updateValue(path, forKey: destination), other != path {
          conflicts.append(destination)
        }
        if taken.insert(path).inserted { byteCount += file.size }
      }
      if !isMatched { unmatched.append(index) }
    }
    unmatched.sort()
    conflicts = Set(conflicts).sorted()
  }

  /// Returns the path of a file in the pack; nil if the selector does not choose it.
  private static func destination(of path: EntryPath, by selector: AssetPackSelector) -> EntryPath? {
    switch selector {
    case .file(let file): return path == EntryPath(AssetPackPath.plain(file)) ? path : nil
    case .directory(let folder): return path.isBeneath(EntryPath(AssetPackPath.plain(folder))) ? path : nil
    case .pattern(let text): return pattern(text)?.matches(path.bytes, isFolder: false) == true ? path : nil
    case .movedFile(let source, let destination):
      return path == EntryPath(AssetPackPath.plain(source))
        ? EntryPath(AssetPackPath.plain(destination)) : nil
    case .movedDirectory(let source, let destination):
      let folder = EntryPath(AssetPackPath.plain(source))
      guard path.isBeneath(folder) else { return nil }
      return EntryPath(AssetPackPath.plain(destination)).appending(path.bytes.dropFirst(folder.count + 1))
    case .exclusion: return nil
    }
  }

  private static func pattern(_ text: String) -> PathPattern? { PathPattern("/" + text) }

  /// Whether the file or a folder above it is excluded.
  private static func isExcluded(_ path: EntryPath, by excluded: Set<EntryPath>) -> Bool {
    guard !excluded.isEmpty else { return false }
    var place: EntryPath? = path
    while let current = place {
      if excluded.contains(current) { return true }
      place = current.parent
    }
    return false
  }
}
