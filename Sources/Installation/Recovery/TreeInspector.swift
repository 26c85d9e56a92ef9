import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Compares folders with the records of their content.
struct TreeInspector {
  /// Whether contents are compared, in addition to kinds, sizes and link targets.
  let verifies: Bool
  /// Whether permissions are compared along with contents.
  var comparesPermissions = true
  /// Whether an unreadable file or folder counts as modified instead of ending the inspection. The items in such a
  /// folder are unknown, and count as present.
  var toleratesUnreadable = false
  let context: WorkContext
  /// The paths of a package to share memory with; nil if there is none.
  var known: KnownPaths?

  /// Returns the inspector for which an unreadable file or folder counts as modified, or ends the inspection.
  func toleratingUnreadable(_ isTolerated: Bool = true) -> TreeInspector {
    var inspector = self
    inspector.toleratesUnreadable = isTolerated
    return inspector
  }

  /// Compares the folder of a version; `isMarked` says whether the product is excluded from backups.
  ///
  /// - Throws: `FileError` if a folder or file cannot be read, `SourceError`, `Interruption`.
  func inspect(
    _ folder: consuming DirectoryHandle, against version: InstalledVersion, marked isMarked: Bool
  ) throws -> ProductInspection {
    let tree = FileTree(root: folder)
    let items = try version.items(marked: isMarked)
    let comparesPermissions = verifies && comparesPermissions && version.keepsPermissions
    var reader = InstalledItems.Reader(items)
    var (modified, extra) = (PathList(), PathList())
    var isPresent = [Bool](repeating: false, count: items.count)
    var unread = UnreadFiles()
    var unreadable: [EntryPath] = []
    var failure: SourceError?
    try tree.visit(cancellation: context.cancellation) { item in
      do throws(SourceError) {
        let path = EntryPath(bytes: item.relativePath)
        guard let index = try reader.index(of: path) else {
          extra.append(path)
          return .pass
        }
        isPresent[index] = true
        let expected = try reader.item(at: index)
        if toleratesUnreadable, item.isUnreadableFolder(of: tree) {
          unreadable.append(path)
          modified.append(shared(path))
          return .pass
        }
        if !matches(item, expected, comparingPermissions: comparesPermissions) {
          modified.append(shared(path))
        } else if verifies, case .file(let size, _) = expected.kind {
          unread.indices.append(UInt32(index))
          unread.bytes += size
        }
        return .enter
      } catch {
        failure = error
        return .stop
      }
    }
    if let failure { throw failure }
    try context.cancellation.check()
    for path in try filesWithOtherContent(unread, of: items, in: tree) { modified.append(path) }
    var missing = PathList()
    for index in isPresent.indices where !isPresent[index] {
      let path = try reader.item(at: index).path
      if !unreadable.contains(where: { path.isBeneath($0) }) { missing.append(shared(path)) }
    }
    return ProductInspection(
      missing: missing.paths, modified: modified.paths.sorted(), extra: extra.paths.sorted())
  }

  private func shared(_ path: EntryPath) -> EntryPath { known?.path(equalTo: path) ?? path }

  private func matches(
    _ found: FileTree.Item, _ expected: InstalledItem, comparingPermissions: Bool
  ) -> Bool {
    let isSame =
      switch (found.status.kind, expected.kind) {
      case (.file, .file(let size, _)): found.status.size == size
      case (.folder, .folder): true
      case (.link, .link(let target)): found.linkTarget == target
      default: false
      }
    guard isSame, comparingPermissions, let permissions = expected.permissions else { return isSame }
    return found.status.permissions == permissions
  }

  /// Files whose size matches but whose content is unread.
  private struct UnreadFiles {
    /// The indices of the files among the items.
    var indices: [UInt32] = []
    var bytes: Int64 = 0
  }

  /// Returns the paths of the files whose content differs from the record.
  private func filesWithOtherContent(
    _ files: UnreadFiles, of items: InstalledItems, in tree: FileTree
  ) throws -> [EntryPath] {
    guard !files.indices.isEmpty else { return [] }
    context.progress.begin(.verifying, tree.path, totalBytes: files.bytes)
    let indices = files.indices.sorted()
    return try WorkerPool.collect(count: indices.count, jobs: context.jobs) {
      let hasher = ContentHasher(items.algorithm)
      var reader = InstalledItems.Reader(items)
      return { index in
        let expected = try reader.item(at: Int(indices[index]))
        guard case .file(_, let expectedDigest) = expected.kind else { return [] }
        do {
          let digest = try hasher.digest(of: tree.openFile(expected.path.bytes), in: context)
          return digest == expectedDigest ? [] : [shared(expected.path)]
        } catch  where toleratesUnreadable && !(error is Interruption) {
          return [shared(expected.path)]
        }
      }
    }
  }
}

extension FileTree.Item {
  /// The permissions that the owner of a folder needs to read and enter it.
  private static let readingPermissions: UInt16 = 0o500

  /// Returns whether this is a folder that this user cannot read.
  fileprivate func isUnreadableFolder(of tree: FileTree) -> Bool {
    status.kind == .folder && status.permissions & Self.readingPermissions != Self.readingPermissions
      && !tree.isListable(relativePath)
  }
}
