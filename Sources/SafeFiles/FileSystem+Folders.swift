import SystemPackage

extension FileSystem {
  /// The folder in which the file at `path` lies: `.` of `a`, `b` of `b/a` and of `b/a/`, `/` of `/a`.
  package static func folder(of path: String) -> String {
    FilePath(path).removingLastComponent().string.isEmpty
      ? "." : FilePath(path).removingLastComponent().string
  }

  /// The last part of a path: `a` of `b/a` and of `b/a/`.
  package static func name(of path: String) -> [UInt8] {
    Array((FilePath(path).lastComponent?.string ?? "").utf8)
  }

  /// What the path leads to, through links.
  ///
  /// - Throws: `FileFailure` with operation `open`; `.noSuchFileOrDirectory` if it leads nowhere.
  package static func kind(of path: String) throws(FileFailure) -> FileStatus.Kind {
    do throws(FileFailure) {
      if let status = try status(of: path, followingLinks: true) { return status.kind }
    } catch {
      throw FileFailure(.open, path, error.errno)
    }
    throw FileFailure(.open, path, .noSuchFileOrDirectory)
  }

  /// Makes the folder at `path` if nothing is there; the folder above must exist.
  ///
  /// - Returns: whether it was made.
  /// - Throws: `FileFailure` with operation `create`; `.notDirectory` if something else is there,
  ///   `.noSuchFileOrDirectory` for a link that leads nowhere.
  package static func makeFolderIfMissing(_ path: String) throws(FileFailure) -> Bool {
    do throws(FileFailure) {
      if let present = try status(of: path, followingLinks: true) {
        if present.kind == .folder { return false }
        throw FileFailure(.create, path, .notDirectory, detail: "it is a \(present.kind.name), not a folder")
      }
      _ = try DirectoryHandle.open(folder(of: path)).makeFolder(name(of: path))
      return true
    } catch {
      guard error.errno == .fileExists else {
        throw FileFailure(.create, path, error.errno, detail: error.detail)
      }
      // Somebody has made it just now; or the name is that of a link.
      if try status(of: path, followingLinks: true)?.kind == .folder { return false }
      throw FileFailure(
        .create, path, .noSuchFileOrDirectory, detail: "it is a symbolic link that leads nowhere")
    }
  }

  /// Removes the folder at `path` if it is empty; anything else is left alone.
  package static func removeFolderIfEmpty(_ path: String) {
    try? DirectoryHandle.open(folder(of: path)).removeFolder(name(of: path))
  }
}
