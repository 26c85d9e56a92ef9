import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The folder for files that iapkg did not install and that a change had to move: `.iapkg/kept/<product>/<number>`.
struct KeptFolder {
  let product: ProductIdentifier
  let number: Int

  /// The permissions of the folder: only the owner may enter, because the files may come from private folders.
  static let permissions: UInt16 = 0o700

  var name: [UInt8] { Array(String(number).utf8) }
}

extension DocumentsFolder {
  /// Returns the number after the highest number in use, for a new folder of kept files.
  func nextKeptNumber(of product: ProductIdentifier) throws(FileError) -> Int {
    guard let folder = try openFolder(Name.kept, of: product) else { return 1 }
    let numbers = try folder.list().compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return (numbers.max() ?? 0) + 1
  }

  /// Moves the items at `paths`, sorted, from `folder` to the kept files; each includes the items beneath it. They go
  /// to the folder `subfolder`; nil for the change's folder itself.
  ///
  /// - Throws: The first error, after all items that can be moved were moved.
  func keep(
    _ paths: [EntryPath], of folder: borrowing DirectoryHandle, under subfolder: EntryPath?,
    in kept: KeptFolder
  ) throws(FileError) {
    guard !paths.isEmpty else { return }
    let top = try open(kept)
    var last: EntryPath?
    var refused: FileError?
    for path in paths where last.map({ !path.isBeneath($0) }) ?? true {
      last = path
      let target = subfolder?.appending(path.bytes) ?? path
      do throws(FileError) {
        try folder.withParent(of: path) { (source) throws(FileError) in
          guard let parent = target.parent else {
            return try source.moveReadOnly(path.name, to: target.name, in: top)
          }
          try source.moveReadOnly(path.name, to: target.name, in: top.makeFolders(at: parent))
        }
      } catch {
        guard error.isImmovable else { throw error }
        refused = refused ?? error
      }
    }
    try synchronize(top)
    if let refused { throw refused }
  }

  /// Moves a whole item to the kept files, under a variation of the name if the name is taken.
  func keepItem(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, as newName: [UInt8], in kept: KeptFolder
  ) throws(FileError) {
    let top = try open(kept)
    var free = newName
    var number = 1
    while try top.status(of: free) != nil {
      number += 1
      free = newName + Array("-\(number)".utf8)
    }
    try folder.moveReadOnly(name, to: free, in: top)
    try synchronize(top)
  }

  private func open(_ kept: KeptFolder) throws(FileError) -> DirectoryHandle {
    let folder = try makeFolder(Name.kept, of: kept.product)
    let top = try folder.openOrMakeFolder(kept.name, permissions: KeptFolder.permissions)
    try synchronize(folder)
    return top
  }

  /// Returns the paths of all unmanaged files of a product: those outside its folder and, in the versioned layout,
  /// those of `extra` that are still in place. `extra` are the items beside and in the versions before a change.
  func keptPaths(of record: InstallationRecord, extra: [EntryPath]) throws -> LocatedPaths {
    let product = record.productIdentifier
    let kept = try keptFiles(of: product, record)
    guard record.layout == .versioned, !extra.isEmpty else { return kept }
    let folder = EntryPath(product.text)
    let others = try extra.filter { path in
      // The new content may have an item with this path.
      guard try !record.hasVersionItem(at: path) else { return false }
      return root.hasFile(at: folder.appending(path.bytes))
    }
    return others.isEmpty ? kept : try kept + existing(others, of: product)
  }

  /// Returns the paths of the unmanaged files of a product outside its folder: in `.iapkg/kept`, and beside the
  /// previous versions in `.iapkg/previous`. Not cancellable, because it runs after a change.
  func keptFiles(of product: ProductIdentifier, _ record: InstallationRecord?) throws -> LocatedPaths {
    try filesInKept(of: product) + itemsBesidePrevious(of: product, record)
  }

  /// Returns the paths of the files in `.iapkg/previous` of a product that are not in the folders of its previous
  /// versions.
  private func itemsBesidePrevious(
    of product: ProductIdentifier, _ record: InstallationRecord?
  ) throws(FileError) -> LocatedPaths {
    guard let folder = try openFolder(Name.previous, of: product) else { return LocatedPaths() }
    let versions: [InstalledVersion] = record?.layout == .flat ? record?.previous ?? [] : []
    return try files(in: folder, except: Set(versions.map { $0.folderName.bytes }))
  }

  /// Returns the paths of all files and links in `.iapkg/kept` of a product.
  private func filesInKept(of product: ProductIdentifier) throws(FileError) -> LocatedPaths {
    guard let folder = try openFolder(Name.kept, of: product) else { return LocatedPaths() }
    return try files(in: folder)
  }

  /// Returns the paths of all files and links in a folder, except in its items with the names `excluded`. A folder that
  /// this user cannot read counts as a file.
  func files(
    in folder: consuming DirectoryHandle, except excluded: Set<[UInt8]> = []
  ) throws(FileError) -> LocatedPaths {
    let tree = FileTree(root: folder)
    do throws(FileError) {
      return try LocatedPaths(tree.files(except: excluded), in: tree.path)
    } catch {
      guard error.isForbidden else { throw error }
      return try LocatedPaths(tree.files(except: excluded, checkingFolders: true), in: tree.path)
    }
  }
}

extension FileTree {
  /// Returns the paths of all files and links, except in the items of the root with the names `excluded`, sorted. With
  /// `isChecking`, a folder that this user cannot read counts as a file; otherwise it ends the walk with an error.
  fileprivate func files(
    except excluded: Set<[UInt8]>, checkingFolders isChecking: Bool = false
  ) throws(FileError) -> [EntryPath] {
    var paths = PathList()
    try visit(cancellation: Cancellation()) { item in
      if excluded.contains(item.relativePath) { return .pass }
      if item.status.kind == .folder, !isChecking || isListable(item.relativePath) { return .enter }
      paths.append(EntryPath(bytes: item.relativePath))
      return .pass
    }
    return paths.paths.sorted()
  }
}

extension InstallationRecord {
  /// Returns whether the item at `path` in the product's folder of the versioned layout is the folder of a version, an
  /// item of a version, or the link `current`.
  fileprivate func hasVersionItem(at path: EntryPath) throws -> Bool {
    guard path != InstallationLayout.current else { return true }
    for version in versions {
      let folder = version.folderName
      if path == folder { return true }
      if path.isBeneath(folder) { return try version.items.contains(path.suffix(from: folder.count + 1)) }
    }
    return false
  }
}

extension DirectoryHandle {
  /// Returns the kind of the item at `path`, or nil if it does not exist.
  func kind(at path: EntryPath) throws(FileError) -> FileStatus.Kind? {
    try withParent(of: path) { (parent) throws(FileError) in try parent.status(of: path.name)?.kind }
  }

  /// Returns whether the item at `path` is a file or link, or a folder that contains one or is unreadable.
  func hasFile(at path: EntryPath) -> Bool {
    do throws(FileError) {
      guard let found = try kind(at: path) else { return false }
      guard found == .folder else { return true }
      var isFound = false
      try FileTree(root: openFolder(at: path)).visit(cancellation: Cancellation()) { item in
        if item.status.kind == .folder { return .enter }
        isFound = true
        return .stop
      }
      return isFound
    } catch {
      return error.isForbidden
    }
  }

  /// Opens the folder at `path` beneath this one, and creates missing folders on the way.
  fileprivate func makeFolders(at path: EntryPath) throws(FileError) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try openOrMakeFolder(parts.removeFirst())
    for part in parts { folder = try folder.openOrMakeFolder(part) }
    return folder
  }
}
