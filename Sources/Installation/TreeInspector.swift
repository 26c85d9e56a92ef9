import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Compares folders with what was installed in them.
struct TreeInspector {
  /// Whether contents count, and not only kinds, sizes and the targets of links.
  let verifies: Bool
  /// Whether permissions count where contents do.
  var comparesPermissions = true
  let context: WorkContext
  /// Counts the bytes of the contents that are read.

  /// Compares the folder of a version, which may have been `marked` for backups.
  ///
  /// - Throws: `FileError` if a folder or file cannot be read, `Interruption`.
  func inspect(
    _ folder: consuming DirectoryHandle, against version: InstalledVersion, marked isMarked: Bool
  ) throws -> ProductInspection {
    let tree = FileTree(root: folder)
    let items = try version.items(marked: isMarked)
    var result = ProductInspection()
    var isPresent = [Bool](repeating: false, count: items.count)
    var unread: [UInt32] = []
    try tree.visit(cancellation: context.cancellation) { item in
      let path = EntryPath(bytes: item.relativePath)
      guard let index = items.index(of: path) else {
        result.extra.append(path)
        return .pass
      }
      isPresent[index] = true
      if !matches(
        item, items[index], comparingPermissions: verifies && comparesPermissions && version.keepsPermissions)
      {
        result.modified.append(items[index].path)  // which has no array of its own
      } else if verifies, case .file = items[index].kind {
        unread.append(UInt32(index))
      }
      return .enter
    }
    try context.cancellation.check()
    result.extra.sort()
    unread.sort()
    result.modified = (result.modified + (try filesWithOtherContent(unread, of: items, in: tree))).sorted()
    result.missing = items.indices.lazy.filter { !isPresent[$0] }.map { items[$0].path }
    return result
  }

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

  /// The paths of the files, given by their index in the items, whose content is not as it was installed.
  private func filesWithOtherContent(
    _ files: [UInt32], of items: InstalledItems, in tree: FileTree
  ) throws -> [EntryPath] {
    guard !files.isEmpty else { return [] }
    context.progress.begin(
      .verifying, tree.path, totalBytes: SizeRules.sum(files.lazy.map { items.size(at: Int($0)) }))
    return try WorkerPool.collect(count: files.count, jobs: context.jobs) {
      let hasher = ContentHasher()
      return { number in
        let expected = items[Int(files[number])]
        guard case .file(_, let expectedDigest) = expected.kind else { return [] }
        let file = try tree.openFile(expected.path.bytes)
        let digest = try hasher.digest(of: file, in: context)
        return digest == expectedDigest ? [] : [expected.path]
      }
    }
  }
}
