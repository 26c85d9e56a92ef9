import ContentPackage
import SafeFiles
import Support
import Synchronization
import SystemPackage
import ZipArchive

/// The folder in which a version is laid out before it is put in its place; threads may share it.
final class StagingTree: Sendable {
  private let root: DirectoryHandle
  /// The folder that the content goes into; nil for the root.
  private let contentFolder: EntryPath?
  /// What is to be laid out, and the folders that it lies in; nil for everything.
  private let wanted: SortedPaths?
  private let wantedParents: Set<EntryPath>
  /// Whether files can share their blocks here, as far as was seen.
  private let sharesBlocks = Atomic(true)

  /// Takes ownership of `root`, an empty folder, and makes the one for the content in it.
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

  /// Makes folders, which come outer ones first.
  func makeFolders(_ folders: [EntryPath]) throws(FileError) {
    for folder in folders where wants(folder) || wantedParents.contains(folder) {
      let entryPath = pathInStaging(of: folder)
      try root.withParent(of: entryPath) { (parent) throws(FileError) in
        _ = try parent.makeFolder(entryPath.name, permissions: InstalledItem.folderPermissions)
      }
    }
  }

  /// Makes links, once all else is there.
  func makeLinks(_ links: [(path: EntryPath, target: [UInt8])]) throws(FileError) {
    for (path, target) in links where wants(path) {
      let entryPath = pathInStaging(of: path)
      try root.withParent(of: entryPath) { (parent) throws(FileError) in
        try parent.makeLink(entryPath.name, target: target)
      }
    }
  }

  /// Makes what lies beside the content: the link to it where it has a folder, and the mark for backups.
  func finish(marked isMarked: Bool) throws(FileError) {
    if let contentFolder { try root.makeLink(InstallationLayout.current.bytes, target: contentFolder.bytes) }
    if isMarked { try BackupMark.mark(root) }
  }

  /// Opens the folder at `path` of the content, part by part, never through a link; nil for the content's own.
  func folder(at path: EntryPath?) throws(FileError) -> DirectoryHandle {
    guard let entryPath = path.map(pathInStaging) ?? contentFolder else { return try root.reopened() }
    return try root.openFolder(at: entryPath)
  }

  /// Puts the bytes of a file that must stay where it is into a new one, which shares its blocks where the file system
  /// can do that.
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

  /// Whether files and folders have the permissions that they were made with; `file` is one of the files.
  func keepsPermissions(of file: EntryPath?) throws(FileError) -> Bool {
    guard try root.status().permissions == InstalledItem.folderPermissions else { return false }
    guard let file else { return true }
    let status = try folder(at: file.parent).status(of: file.name)
    return status?.permissions == InstalledItem.filePermissions
  }

  private func pathInStaging(of path: EntryPath) -> EntryPath { contentFolder?.appending(path.bytes) ?? path }
}

/// A set of very many paths, which takes less memory than a `Set` of them.
struct SortedPaths: Sendable {
  /// Sorted by their bytes.
  let paths: [EntryPath]

  func contains(_ path: EntryPath) -> Bool {
    let index = paths.partitioningIndex { $0 < path }
    return index < paths.endIndex && paths[index] == path
  }
}
