import SystemPackage

extension FileSystem {
  /// The directory of the file at `path`: `.` for `a`, `b` for `b/a` and `b/a/`, `/` for `/a`.
  package static func folder(of path: String) -> String {
    FilePath(path).removingLastComponent().string.isEmpty
      ? "." : FilePath(path).removingLastComponent().string
  }

  /// The last part of a path: `a` for `b/a` and `b/a/`.
  package static func name(of path: String) -> [UInt8] {
    Array((FilePath(path).lastComponent?.string ?? "").utf8)
  }

  /// The kind of the item that the path leads to, through links.
  ///
  /// - Throws: `FileError` with operation `open`: `.noSuchFileOrDirectory` if it leads nowhere.
  package static func kind(of path: String) throws(FileError) -> FileStatus.Kind {
    do throws(FileError) {
      if let status = try status(of: path, followingLinks: true) { return status.kind }
    } catch {
      throw FileError(.open, path, error.errno)
    }
    throw FileError(.open, path, .noSuchFileOrDirectory)
  }

  /// Makes the directory at `path` if nothing is there. Its parent must exist.
  ///
  /// - Parameters:
  ///   - path: the path of the directory.
  ///   - rights: what it gets beside the rights that the umask leaves; it gets 0755 if nil.
  /// - Returns: whether it was made.
  /// - Throws: `FileError` with operation `create`: `.notDirectory` if something else is there,
  ///   `.noSuchFileOrDirectory` for a link that leads nowhere.
  package static func makeFolderIfMissing(
    _ path: String, adding rights: UInt16? = nil
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      if let present = try status(of: path, followingLinks: true) {
        if present.kind == .folder { return false }
        throw FileError(.create, path, .notDirectory, detail: "it is a \(present.kind.name), not a folder")
      }
      let parent = try DirectoryHandle.open(folder(of: path))
      if let rights {
        try parent.makeFolder(name(of: path), adding: rights)
      } else {
        try parent.makeFolder(name(of: path))
      }
      return true
    } catch {
      guard error.errno == .fileExists else {
        throw FileError(.create, path, error.errno, detail: error.detail)
      }
      // Somebody else has just made it, or the name is that of a link.
      if try status(of: path, followingLinks: true)?.kind == .folder { return false }
      throw FileError(
        .create, path, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    }
  }

  /// Makes the folder at `path` if nothing is there.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - withParents: whether the folders above it are made too.
  ///   - made: gets the paths of the folders that were made, also where it fails, the uppermost first.
  /// - Throws: `FileError` as `makeFolderIfMissing`.
  package static func makeFolders(
    _ path: String, withParents: Bool, noting made: inout [String]
  ) throws(FileError) {
    if withParents {
      let above = folder(of: path)
      if above != path, isMissing(above) { try makeFolders(above, withParents: true, noting: &made) }
    }
    if try makeFolderIfMissing(path) { made.append(path) }
  }

  /// Whether nothing has the name; what cannot be looked at fails later, in the words for what was wanted.
  private static func isMissing(_ path: String) -> Bool {
    do throws(FileError) { return try status(of: path, followingLinks: false) == nil } catch {
      return false
    }
  }

  /// Makes the folders above `path` that are missing.
  ///
  /// - Returns: those that were made, the outermost first.
  /// - Throws: as `makeFolderIfMissing`; what was made is taken away again.
  package static func makeParents(of path: String) throws(FileError) -> [String] {
    let parent = folder(of: path)
    var made: [String] = []
    do throws(FileError) {
      if isMissing(parent) { try makeFolders(parent, withParents: true, noting: &made) }
    } catch {
      for path in made.reversed() { removeFolderIfEmpty(path) }
      throw error
    }
    return made
  }

  /// Removes the directory at `path` if it is empty. Does nothing otherwise.
  package static func removeFolderIfEmpty(_ path: String) {
    try? DirectoryHandle.open(folder(of: path)).removeFolder(name(of: path))
  }
}
