import ContentPackage
import SafeFiles
import Support
import Synchronization
import SystemPackage
import ZipArchive

/// The folder in which a version is assembled; threads may share it.
final class StagingTree: Sendable {
  private let root: DirectoryHandle
  /// The folder for the content; nil for the root.
  private let contentFolder: EntryPath?
  /// The paths to write, and their parent folders; nil for all.
  private let wanted: SortedPaths?
  private let wantedParents: Set<EntryPath>
  /// False once the file system has failed to clone a file.
  private let sharesBlocks = Atomic(true)

  /// Takes ownership of `root`, an empty folder, and creates the folder for the content in it.
  init(
    _ root: consuming DirectoryHandle, contentFolder: EntryPath?, wanted: SortedPaths? = nil
  ) throws(FileError) {
    if let contentFolder {
      try root.makeFolder(contentFolder.bytes, permissions: InstalledItem.folderPermissions)
    }
    self.root = root
    self.contentFolder = contentFolder
    self.wanted = wanted
    var parents: Set<EntryPath> = []
    for path in wanted?.paths ?? [] {
      var folder = path.parent
      while let next = folder, parents.insert(next).inserted { folder = next.parent }
    }
    wantedParents = parents
  }

  func wants(_ path: EntryPath) -> Bool { wanted?.contains(path) ?? true }

  /// Creates folders, given parents first.
  func makeFolders(_ folders: [EntryPath]) throws(FileError) {
    for folder in folders where wants(folder) || wantedParents.contains(folder) {
      let entryPath = pathInStaging(of: folder)
      try root.withParent(of: entryPath) { (parent) throws(FileError) in
        _ = try parent.makeFolder(entryPath.name, permissions: InstalledItem.folderPermissions)
      }
    }
  }

  /// Creates links, after all other items.
  func makeLinks(_ links: [(path: EntryPath, target: [UInt8])]) throws(FileError) {
    for (path, target) in links where wants(path) {
      let entryPath = pathInStaging(of: path)
      try root.withParent(of: entryPath) { (parent) throws(FileError) in
        try parent.makeLink(entryPath.name, target: target)
      }
    }
  }

  /// Creates the items beside the content: the link to its folder if it has one, and the backup mark.
  func finish(marked isMarked: Bool) throws(FileError) {
    if let contentFolder { try root.makeLink(InstallationLayout.current.bytes, target: contentFolder.bytes) }
    if isMarked { try BackupMark.mark(root) }
  }

  /// Opens the folder at `path` in the content, component by component, without following links. A nil path means the
  /// folder of the content itself.
  func folder(at path: EntryPath?) throws(FileError) -> DirectoryHandle {
    guard let entryPath = path.map(pathInStaging) ?? contentFolder else { return try root.reopened() }
    return try root.openFolder(at: entryPath)
  }

  /// Copies a file that must stay in place; the copy shares its blocks if the file system can clone.
  func copy(
    _ present: PresentFile, to name: some Collection<UInt8>, in folder: borrowing DirectoryHandle
  ) throws(SourceError) {
    do throws(FileError) {
      if present.byteCount == present.file.byteCount, sharesBlocks.load(ordering: .relaxed) {
        if try folder.cloneFile(present.file, as: name, permissions: InstalledItem.filePermissions) { return }
        sharesBlocks.store(false, ordering: .relaxed)
      }
    } catch {
      throw .file(error)
    }
    var file = try asSourceError { () throws(FileError) in
      try folder.createFile(name, permissions: InstalledItem.filePermissions)
    }
    try file.copy(from: present.file, range: 0..<present.byteCount)
    do throws(FileError) { try file.close() } catch { throw .file(error) }
  }

  /// Returns whether the file system kept the permissions of the root and of `file`.
  func keepsPermissions(of file: EntryPath?) throws(FileError) -> Bool {
    guard try root.status().permissions == InstalledItem.folderPermissions else { return false }
    guard let file else { return true }
    let status = try folder(at: file.parent).status(of: file.name)
    return status?.permissions == InstalledItem.filePermissions
  }

  private func pathInStaging(of path: EntryPath) -> EntryPath { contentFolder?.appending(path.bytes) ?? path }
}

/// A set of many paths that takes less memory than a `Set`.
struct SortedPaths: Sendable {
  /// The paths, sorted by their bytes.
  let paths: [EntryPath]

  func contains(_ path: EntryPath) -> Bool {
    let index = paths.partitioningIndex { $0 < path }
    return index < paths.endIndex && paths[index] == path
  }
}
