import SafeFiles
import ZipArchive

/// The folder in which a product is laid out before it is swapped in; threads may share it.
final class StagingTree: Sendable {
  private let root: DirectoryHandle
  let plan: InstallationPlan

  /// Takes ownership of `root`, an empty folder.
  init(_ root: consuming DirectoryHandle, plan: InstallationPlan) {
    self.root = root
    self.plan = plan
  }

  /// Makes the folders that `content` has or lies in.
  func makeFolders(for content: some Sequence<ContentItem>) throws(FileFailure) {
    for folder in plan.folders(for: content) {
      let permissions = InstalledItem.folderPermissions
      if let parent = folder.parent {
        try self.folder(at: parent).makeFolder(folder.name, permissions: permissions)
      } else {
        try root.makeFolder(folder.name, permissions: permissions)
      }
      plan.add(.folder(folder))
    }
  }

  /// Makes the links, once all else is there.
  func makeLinks(for content: some Sequence<ContentItem>) throws(FileFailure) {
    for (place, target) in plan.links(for: content) {
      if let parent = place.parent {
        try folder(at: parent).makeLink(place.name, target: target)
      } else {
        try root.makeLink(place.name, target: target)
      }
      plan.add(.link(place, target: target))
    }
  }

  /// Marks the folder, so that backups leave it out.
  func excludeFromBackup() throws(FileFailure) {
    guard plan.wants(BackupMark.place) else { return }
    try BackupMark.mark(root)
    if BackupMark.isFile { plan.add(BackupMark.item) }
  }

  /// Makes a file at the top.
  func createFile(_ name: ArraySlice<UInt8>) throws(FileFailure) -> OutputFile {
    try root.createFile(name, permissions: InstalledItem.filePermissions)
  }

  /// Opens the folder at `path`, part by part, never through a link.
  func folder(at path: EntryPath) throws(FileFailure) -> DirectoryHandle { try root.openFolder(at: path) }
}

extension DirectoryHandle {
  /// Opens the folder at `path` beneath this one, part by part, never through a link.
  func openFolder(at path: EntryPath) throws(FileFailure) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try openFolder(parts.removeFirst())
    for part in parts { folder = try folder.openFolder(part) }
    return folder
  }
}
