import Support
import SystemPackage

extension FileSystem {
  /// Appends bytes to a file, which is created if it is missing. Links are followed.
  ///
  /// - Throws: `FileError` with operation `create` if the file cannot be opened or is not a regular file, also for a
  ///   dangling link in the path; with operation `write` if writing fails, after truncating the file to its old size if
  ///   possible; with operation `inspect` if the path cannot be inspected.
  package static func append(_ bytes: RawSpan, to path: String) throws(FileError) {
    let before = try status(of: path, followingLinks: true)
    if let before, before.kind != .file {
      throw FileError(
        .create, path, .notSupported, detail: "it is a \(before.kind.name), expected a regular file")
    }
    if before == nil, let link = danglingLink(blocking: path) {
      throw FileError(
        .create, path, .noSuchFileOrDirectory,
        detail: "\(String(displaying: link.utf8)) is a symbolic link that leads nowhere")
    }
    let descriptor = try attempt(.create, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in
        try POSIX.openPath(name, POSIX.appendingFlags, permissions: 0o666)
      }
    }
    do throws(Errno) {
      try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
        try unsafe POSIX.writeAll(descriptor.number, bytes)
      }
    } catch {
      // The caller gets the error of the write.
      do throws(Errno) { try POSIX.cut(descriptor.number, at: before?.size ?? 0) } catch {}
      throw FileError(.write, path, error)
    }
    do throws(Errno) { try descriptor.close() } catch { throw FileError(.write, path, error) }
  }
}
