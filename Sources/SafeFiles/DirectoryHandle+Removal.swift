import Support
import SystemPackage

extension DirectoryHandle {
  /// Removes a file or a link.
  ///
  /// - Throws: `FileError` with operation `remove`: `.isDirectory` (on Darwin `.notPermitted`) for a
  ///   directory.
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
  /// Directories of this user that lack permissions get them first. Any depth is possible, with one directory
  /// open at a time.
  ///
  /// - Throws: `FileError` with operation `remove`: `.noSuchFileOrDirectory`, or `.staleNFSFileHandle` if a
  ///   part of the tree is moved elsewhere at the same time.
  package func removeTree(_ name: some Collection<UInt8>) throws(FileError) {
    let name = Array(name)
    let isFolder = try call(.remove, name) { folder, name throws(Errno) in
      try POSIX.status(in: folder, name).kind == .folder
    }
    guard isFolder else { return try remove(name) }
    var names = [name]
    do throws(Errno) {
      try removeFolderTree(&names)
    } catch {
      let place = names.isEmpty ? path : childPath(name) + names.dropFirst().map(Self.displayedPart).joined()
      throw FileError(.remove, place, error)
    }
  }

  private static func displayedPart(_ name: [UInt8]) -> String { "/" + String(displaying: name) }

  /// Removes the directory `names[0]`. `names` is always the path to the current directory.
  private func removeFolderTree(_ names: inout [[UInt8]]) throws(Errno) {
    var cursor = try FolderCursor(at: descriptor)
    var pending = [try cursor.enterAndEmpty(names[0])]
    while let subfolder = pending.last {
      if let next = subfolder.last {
        pending[pending.count - 1].removeLast()
        names.append(next)
        pending.append(try cursor.enterAndEmpty(next))
      } else {
        pending.removeLast()
        try cursor.ascend()
        try cursor.remove(names[names.count - 1], isFolder: true)
        names.removeLast()
      }
    }
  }
}

extension FolderCursor {
  /// Enters a directory and removes everything in it but directories, whose names it returns.
  fileprivate mutating func enterAndEmpty(_ name: [UInt8]) throws(Errno) -> [[UInt8]] {
    do throws(Errno) {
      try descend(name)
    } catch .permissionDenied {
      try makeAccessible(name)
      try descend(name)
    }
    try makeAccessible()
    var folders: [[UInt8]] = []
    for entry in try POSIX.list(descriptor.number) {
      let isFolder = if let known = entry.isFolder { known } else { try isFolder(entry.name) }
      if isFolder {
        folders.append(entry.name)
      } else {
        try remove(entry.name)
      }
    }
    return folders
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

  /// Makes it possible to open the directory `name`, if it belongs to this user.
  private func makeAccessible(_ name: [UInt8]) throws(Errno) {
    let number = descriptor.number
    try withEntryName(name) { name throws(Errno) in
      try POSIX.setPermissions(0o700, in: number, name)
    }
  }

  /// Makes it possible to remove items of this directory, if it belongs to this user. If it does not,
  /// removing them may succeed all the same.
  private func makeAccessible() throws(Errno) {
    let permissions = try POSIX.status(of: descriptor.number).permissions
    if permissions & 0o700 != 0o700 { try? POSIX.setPermissions(permissions | 0o700, of: descriptor.number) }
  }
}
