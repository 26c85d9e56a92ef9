package import Support
import SystemPackage

extension DirectoryHandle {
  /// Removes a file or a link.
  ///
  /// - Throws: `FileError` with operation `remove`: `.isDirectory` (on Darwin `.notPermitted`) for a directory.
  package func remove(_ name: some Collection<UInt8>) throws(FileError) {
    try call(.remove, name) { folder, name throws(Errno) in try POSIX.remove(in: folder, name) }
  }

  /// Removes an empty directory.
  ///
  /// - Throws: `FileError` with operation `remove`; `.directoryNotEmpty`.
  package func removeFolder(_ name: some Collection<UInt8>) throws(FileError) {
    try call(.remove, name) { folder, name throws(Errno) in
      try POSIX.remove(in: folder, name, isFolder: true)
    }
  }

  /// Removes an item and everything in it. A link is removed, never followed.
  ///
  /// Directories of this user are made accessible first. The depth is unlimited, with one directory open at a time. A
  /// mount point ends the removal and keeps its content.
  ///
  /// - Parameters:
  ///   - name: The item.
  ///   - cancellation: Ends the removal when the cleanup time is over, unless the tree is small; nil for no limit.
  /// - Throws: `FileError` with operation `remove`: `.noSuchFileOrDirectory`, `.resourceBusy` for a mount point,
  ///   `.staleNFSFileHandle` if another process moves a part of the tree, or `.canceled` if the time is over.
  package func removeTree(
    _ name: some Collection<UInt8>, within cancellation: Cancellation? = nil
  ) throws(FileError) {
    let name = Array(name)
    let isFolder = try call(.remove, name) { folder, name throws(Errno) in
      try POSIX.status(in: folder, name).kind == .folder
    }
    guard isFolder else { return try remove(name) }
    var names = [name]
    do throws(Errno) {
      var allowance = RemovalAllowance(cancellation)
      try removeFolderTree(&names, &allowance)
    } catch {
      let itemPath =
        names.isEmpty ? path : childPath(name) + names.dropFirst().map(Self.displayedPart).joined()
      throw FileError(.remove, itemPath, error)
    }
  }

  private static func displayedPart(_ name: [UInt8]) -> String { "/" + String(displaying: name) }

  /// Removes the directory `names[0]`. `names` is always the path to the current directory.
  private func removeFolderTree(
    _ names: inout [[UInt8]], _ allowance: inout RemovalAllowance
  ) throws(Errno) {
    var cursor = try FolderCursor(at: descriptor)
    if try cursor.removeEmpty(names[0]) { return }
    var pending = [try cursor.enterAndEmpty(names[0], &allowance)]
    while let subfolder = pending.last {
      if let next = subfolder.last {
        pending[pending.count - 1].removeLast()
        names.append(next)
        if try cursor.removeEmpty(next) {
          names.removeLast()
        } else {
          pending.append(try cursor.enterAndEmpty(next, &allowance))
        }
      } else {
        pending.removeLast()
        try cursor.ascend()
        try cursor.remove(names[names.count - 1], isFolder: true)
        names.removeLast()
      }
    }
  }
}

/// The limit of a removal: none until the cleanup time is over. A small tree is always removed, even if a busy machine
/// uses up the time before the removal begins.
private struct RemovalAllowance {
  private static let unlimitedItemCount = 1000
  private let cancellation: Cancellation?
  private var itemCount = 0

  init(_ cancellation: Cancellation?) { self.cancellation = cancellation }

  /// Counts an item before its removal.
  ///
  /// - Throws: `.canceled` if nothing more may be removed.
  mutating func countItem() throws(Errno) {
    itemCount += 1
    guard itemCount > Self.unlimitedItemCount, let cancellation, cancellation.isCleanupOverdue else { return }
    throw .canceled
  }
}

extension FolderCursor {
  /// Removes a directory if it is empty.
  ///
  /// - Returns: Whether it was removed.
  /// - Throws: `.resourceBusy` for a mount point, empty or not, since systems check that first.
  fileprivate func removeEmpty(_ name: [UInt8]) throws(Errno) -> Bool {
    do throws(Errno) {
      try remove(name, isFolder: true)
      return true
    } catch {
      guard error != .resourceBusy, error != .noSuchFileOrDirectory else { throw error }
      return false  // it has items, or must be made accessible first
    }
  }

  /// Enters a directory, removes everything in it except directories, and returns their names.
  fileprivate mutating func enterAndEmpty(
    _ name: [UInt8], _ allowance: inout RemovalAllowance
  ) throws(Errno) -> [[UInt8]] {
    do throws(Errno) {
      try descend(name)
    } catch .permissionDenied {
      try makeAccessible(name)
      try descend(name)
    }
    try makeAccessible()
    // If items are removed during a scan, some file systems skip others (readdir(3)).
    while true {
      let (folders, hasRemoved) = try removeItems(&allowance)
      if !hasRemoved { return folders }
    }
  }

  /// Removes everything in the directory except directories; returns their names, and whether it removed anything.
  private func removeItems(
    _ allowance: inout RemovalAllowance
  ) throws(Errno) -> (folders: [[UInt8]], hasRemoved: Bool) {
    var folders: [[UInt8]] = []
    var hasRemoved = false
    try POSIX.visit(descriptor.number) { entry throws(Errno) in
      try allowance.countItem()
      let isFolder = if let known = entry.isFolder { known } else { try isFolder(entry.name) }
      if isFolder {
        folders.append(entry.name)
      } else {
        try remove(entry.name)
        hasRemoved = true
      }
      return true
    }
    return (folders, hasRemoved)
  }

  fileprivate func remove(_ name: [UInt8], isFolder: Bool = false) throws(Errno) {
    let number = descriptor.number
    try withEntryName(name) { name throws(Errno) in
      try POSIX.remove(in: number, name, isFolder: isFolder)
    }
  }

  private func isFolder(_ name: [UInt8]) throws(Errno) -> Bool {
    let number = descriptor.number
    return try withEntryName(name) { name throws(Errno) in
      try POSIX.status(in: number, name).kind == .folder
    }
  }

  /// Makes the directory `name` accessible, if it belongs to this user.
  private func makeAccessible(_ name: [UInt8]) throws(Errno) {
    let number = descriptor.number
    try withEntryName(name) { name throws(Errno) in
      try POSIX.setPermissions(0o700, in: number, name)
    }
  }

  /// Makes the items of this directory removable, if it belongs to this user. Otherwise their removal may still
  /// succeed.
  private func makeAccessible() throws(Errno) {
    let permissions = try POSIX.status(of: descriptor.number).permissions
    if permissions & 0o700 != 0o700 { try? POSIX.setPermissions(permissions | 0o700, of: descriptor.number) }
  }
}
