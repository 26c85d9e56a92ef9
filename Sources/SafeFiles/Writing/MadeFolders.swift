import Support
import Synchronization

/// The folders that a run creates. Those that are still empty at its end are removed, so that neither an error nor a
/// signal leaves them behind.
package final class MadeFolders: Sendable {
  private let made = Mutex<[String]>([])

  package init() {}

  deinit { removeEmpty() }

  /// The created folders, outermost first.
  package var paths: [String] { made.withLock(\.self) }

  /// Creates the folder at `path` if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - rights: Permissions to add to those that the umask leaves.
  ///   - withParents: Whether missing parent folders are created too.
  /// - Returns: Whether the folder was created.
  /// - Throws: The errors of `FileSystem.makeFolderIfMissing`.
  @discardableResult
  package func make(
    _ path: String, adding rights: UInt16 = 0, withParents: Bool = false
  ) throws(FileError) -> Bool {
    if withParents {
      let parent = FileSystem.folder(of: path)
      if parent != path, FileSystem.isMissing(parent) { try make(parent, adding: rights, withParents: true) }
    }
    PendingCleanup.begin()
    var isMade = false
    defer { if !isMade { PendingCleanup.end() } }
    isMade = try FileSystem.makeFolderIfMissing(path, adding: rights)
    if isMade { made.withLock { $0.append(path) } }
    return isMade
  }

  /// Removes the created folders that are empty, and forgets the others. Another process that is about to use one of
  /// them must create it again.
  package func removeEmpty() {
    for path in paths.reversed() { FileSystem.removeFolderIfEmpty(path) }
    keep()
  }

  /// Keeps the created folders, also empty ones.
  package func keep() {
    let paths = made.withLock { made in
      defer { made = [] }
      return made
    }
    for _ in paths { PendingCleanup.end() }
  }
}
