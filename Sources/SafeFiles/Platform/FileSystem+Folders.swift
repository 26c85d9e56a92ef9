import SystemPackage

extension FileSystem {
  /// Returns the directory of the file at `path`: `.` for `a`, `b` for `b/a` and `b/a/`, `/` for `/a`.
  package static func folder(of path: String) -> String {
    FilePath(path).removingLastComponent().string.isEmpty
      ? "." : FilePath(path).removingLastComponent().string
  }

  /// Returns the last component of a path: `a` for `b/a` and `b/a/`, empty for `/`.
  package static func name(of path: String) -> [UInt8] {
    Array((FilePath(path).lastComponent?.string ?? "").utf8)
  }

  /// Returns the kind of the item at a path, following links.
  ///
  /// - Throws: `FileError` with operation `open`: `.noSuchFileOrDirectory` for a missing item or a dangling link.
  package static func kind(of path: String) throws(FileError) -> FileStatus.Kind {
    do throws(FileError) {
      if let status = try status(of: path, followingLinks: true) { return status.kind }
    } catch {
      throw FileError(.open, path, error.errno)
    }
    throw FileError(.open, path, .noSuchFileOrDirectory)
  }

  /// Creates the directory at `path` if it is missing. Its parent must exist.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - rights: The permissions to add to those that the umask leaves.
  /// - Returns: Whether the directory was created.
  /// - Throws: `FileError` with operation `create`: `.notDirectory` if another item is there, `.noSuchFileOrDirectory`
  ///   for a dangling link.
  package static func makeFolderIfMissing(
    _ path: String, adding rights: UInt16 = 0
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      if let present = try status(of: path, followingLinks: true) {
        try checkKind(of: present, at: path)
        return false
      }
      let parent = try DirectoryHandle.open(folder(of: path))
      try parent.makeFolder(name(of: path), adding: rights)
      return true
    } catch {
      guard error.errno == .fileExists else {
        throw FileError(.create, path, error.errno, detail: error.detail)
      }
      // Another process has just created the folder, or the path is a dangling link.
      if try status(of: path, followingLinks: true)?.kind == .folder { return false }
      throw FileError(
        .create, path, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    }
  }

  /// Checks that the directory at `path` exists or can be created, without creating it.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - withParents: Whether missing parent directories are created too.
  /// - Throws: `FileError` with operation `create`, as the creation would.
  package static func checkFolder(_ path: String, withParents: Bool = false) throws(FileError) {
    guard let present = try statusForCreation(at: path) else {
      return try checkCreation(of: path, withParents: withParents)
    }
    try checkKind(of: present, at: path)
  }

  /// Returns the status of the item at the path of an output, following links; nil if there is none.
  ///
  /// - Throws: `FileError` with operation `create`.
  package static func statusForCreation(at path: String) throws(FileError) -> FileStatus? {
    try attempt(.create, path) { () throws(Errno) in
      try POSIX.statusIfAny(of: path, followingLinks: true)
    }
  }

  private static func checkKind(of present: FileStatus, at path: String) throws(FileError) {
    guard present.kind == .folder else {
      throw FileError(.create, path, .notDirectory, detail: "it is a \(present.kind.name), not a folder")
    }
  }

  /// Checks that a missing directory can be created at `path`; see `checkFolder`.
  static func checkCreation(of path: String, withParents: Bool = false) throws(FileError) {
    if let link = danglingLink(blocking: path) {
      throw FileError(
        .create, link, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    }
    let parent = folder(of: path)
    try attempt(.create, path) { () throws(Errno) in
      try withCName((withParents ? existing(parent) : parent).utf8) { parent throws(Errno) in
        guard try POSIX.status(of: parent, followingLinks: true).kind == .folder else { throw .notDirectory }
        try POSIX.checkCreating(in: parent)
      }
    }
  }

  /// Checks that the permissions allow this process to create and replace items in a directory, if it exists.
  ///
  /// - Parameters:
  ///   - folder: The path of the directory.
  ///   - path: The path of an item to create, for messages.
  /// - Throws: `FileError` with operation `create`.
  package static func checkChanging(_ folder: String, creating path: String) throws(FileError) {
    try attempt(.create, path) { () throws(Errno) in
      guard try POSIX.statusIfAny(of: folder, followingLinks: true) != nil else { return }
      try withCName(folder.utf8) { folder throws(Errno) in try POSIX.checkCreating(in: folder) }
    }
  }

  /// Returns whether the path does not exist. An unreadable path counts as existing, so that the later operation
  /// reports its error.
  static func isMissing(_ path: String) -> Bool {
    do throws(FileError) { return try status(of: path, followingLinks: false) == nil } catch {
      return false
    }
  }

  /// Returns the path, or its nearest existing parent.
  package static func existing(_ path: String) -> String {
    var path = path
    while (try? status(of: path, followingLinks: true)) == nil {
      let above = folder(of: path)
      if above == path { break }
      path = above
    }
    return path
  }

  /// Returns the dangling link that prevents the creation of `path`: the path itself or a folder above it; nil if there
  /// is none.
  package static func danglingLink(blocking path: String) -> String? {
    var path = FilePath(path).string  // without a trailing slash, which would follow a link
    while true {
      if let status = try? status(of: path, followingLinks: false) {
        let isDangling = status.kind == .link && (try? self.status(of: path, followingLinks: true)) == nil
        return isDangling ? path : nil
      }
      let above = folder(of: path)
      if above == path { return nil }
      path = above
    }
  }

  /// Removes the directory at `path` if it is empty. Errors are ignored.
  package static func removeFolderIfEmpty(_ path: String) {
    try? DirectoryHandle.open(folder(of: path)).removeFolder(name(of: path))
  }
}
