import ContentPackage
package import Support
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
  /// The paths of the files relative to the source root, by their paths in the pack.
  package private(set) var sources: [EntryPath: EntryPath] = [:]
  /// The paths in the pack that two different files would have.
  package private(set) var conflicts: [EntryPath] = []
  /// The indices of the selectors that match nothing.
  package private(set) var unmatched: [Int] = []
  /// The sizes of all selected files together, in bytes.
  package private(set) var byteCount: Int64 = 0

  /// Creates an empty selection.
  package init() {}

  /// Applies selectors to the items below the source root.
  ///
  /// - Throws: `Interruption`.
  package init(
    _ selectors: [AssetPackSelector], to items: [SelectableItem], _ cancellation: Cancellation
  ) throws(Interruption) {
    var excluded: Set<EntryPath> = []
    for (index, selector) in selectors.enumerated() {
      guard case .exclusion(let text) = selector else { continue }
      try cancellation.check()
      let pattern = Self.pattern(text)
      let found = items.filter { pattern?.matches($0.path.bytes, isFolder: $0.isFolder) ?? false }
      if found.isEmpty { unmatched.append(index) }
      excluded.formUnion(found.map(\.path))
    }
    let files = items.filter { !$0.isFolder }
    let excludedFiles = Set(files.lazy.map(\.path).filter { Self.isExcluded($0, by: excluded) })
    var counted: Set<EntryPath> = []
    for (index, selector) in selectors.enumerated() {
      guard let choice = Choice(selector) else { continue }
      try cancellation.check()
      let found = files.filter { choice.contains($0.path) }
      if found.isEmpty { unmatched.append(index) }
      for file in found where !excludedFiles.contains(file.path) {
        let destination = choice.destination(of: file.path)
        if let other = sources.updateValue(file.path, forKey: destination), other != file.path {
          conflicts.append(destination)
        }
        if counted.insert(file.path).inserted { byteCount = SizeRules.sum([byteCount, file.size]) }
      }
    }
    unmatched.sort()
    conflicts = Set(conflicts).sorted()
  }

  private static func pattern(_ text: String) -> PathPattern? { PathPattern("/" + text) }

  /// Returns whether the file or a folder above it is excluded.
  private static func isExcluded(_ path: EntryPath, by excluded: Set<EntryPath>) -> Bool {
    guard !excluded.isEmpty else { return false }
    var ancestor: EntryPath? = path
    while let current = ancestor {
      if excluded.contains(current) { return true }
      ancestor = current.parent
    }
    return false
  }

  /// A parsed selector that chooses files.
  private enum Choice {
    case file(EntryPath, destination: EntryPath)
    case folder(EntryPath, destination: EntryPath)
    case pattern(PathPattern?)

    /// Parses a selector; nil for an exclusion.
    init?(_ selector: AssetPackSelector) {
      func path(_ text: String) -> EntryPath { EntryPath(AssetPackPath.plain(text)) }
      switch selector {
      case .file(let file): self = .file(path(file), destination: path(file))
      case .directory(let folder): self = .folder(path(folder), destination: path(folder))
      case .pattern(let text): self = .pattern(AssetPackSelection.pattern(text))
      case .movedFile(let source, let destination):
        self = .file(path(source), destination: path(destination))
      case .movedDirectory(let source, let destination):
        self = .folder(path(source), destination: path(destination))
      case .exclusion: return nil
      }
    }

    func contains(_ path: EntryPath) -> Bool {
      switch self {
      case .file(let file, _): path == file
      case .folder(let folder, _): path.isBeneath(folder)
      case .pattern(let pattern): pattern?.matches(path.bytes, isFolder: false) ?? false
      }
    }

    /// Returns the path in the pack of a file that the selector chooses.
    func destination(of path: EntryPath) -> EntryPath {
      switch self {
      case .file(_, let destination): destination
      case .folder(let folder, let destination): destination.appending(path.bytes.dropFirst(folder.count + 1))
      case .pattern: path
      }
    }
  }
}
