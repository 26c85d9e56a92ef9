package import Support
import SystemPackage

/// A folder that appears complete or not at all. It is filled under a temporary name in the same directory, made
/// durable, and then renamed. A folder that is not committed is removed with everything in it. If a signal leaves no
/// time for the removal, the next run that stages the same folder performs it.
package struct StagedFolder: ~Copyable {
  /// The path of the folder.
  package let path: String
  /// The temporary folder to fill.
  package let handle: DirectoryHandle
  private let parent: DirectoryHandle
  private let name: [UInt8]
  private let temporary: [UInt8]
  private let cancellation: Cancellation
  private let isReplacing: Bool
  private var needsCleanup = true

  /// Starts a folder at `path`, where nothing but an empty folder or a link to an empty folder may exist. The link is
  /// kept.
  ///
  /// - Parameters:
  ///   - path: The final path.
  ///   - isReplacing: Whether a folder with content at `path` is replaced.
  ///   - cancellation: Limits the time for cleanup.
  /// - Returns: An empty folder with a temporary name.
  /// - Throws: `FileError` with operation `create`: `.directoryNotEmpty` or `.notDirectory` for another item at `path`.
  package static func create(
    at path: String, replacing isReplacing: Bool = false, cancellation: Cancellation
  ) throws(FileError) -> StagedFolder {
    let finalPath = try check(path, replacing: isReplacing)
    let name = FileSystem.name(of: finalPath)
    let parent = try attempt(.create, path) { () throws(Errno) in
      try withEntryName(name) { _ throws(Errno) in }
      return try withCName(FileSystem.folder(of: finalPath).utf8) { folder throws(Errno) in
        try POSIX.openPath(folder, POSIX.folderFlags)
      }
    }
    let folder = DirectoryHandle(owning: parent, path: FileSystem.folder(of: finalPath))
    removeAbandoned(in: folder, for: name)
    PendingCleanup.begin()
    do throws(FileError) {
      while true {
        let temporary = TemporaryName.temporaryName(for: name)
        let made = try folder.makeFolder(temporary)
        // Another process may remove the folder as abandoned before this lock. Not every file system has locks.
        let isLocked = (try? POSIX.tryLock(made.descriptor.number)) ?? true
        guard isLocked, try made.status().linkCount > 0 else { continue }
        return StagedFolder(
          path: path, handle: made, parent: folder, name: name, temporary: temporary,
          cancellation: cancellation, isReplacing: isReplacing)
      }
    } catch {
      PendingCleanup.end()
      throw FileError(.create, path, error.errno, detail: error.detail)
    }
  }

  private init(
    path: String, handle: consuming DirectoryHandle, parent: consuming DirectoryHandle, name: [UInt8],
    temporary: [UInt8], cancellation: Cancellation, isReplacing: Bool
  ) {
    self.path = path
    self.handle = handle
    self.parent = parent
    self.name = name
    self.temporary = temporary
    self.cancellation = cancellation
    self.isReplacing = isReplacing
  }

  deinit {
    guard needsCleanup else { return }
    do throws(FileError) { try parent.removeTree(temporary, within: cancellation) } catch {
      // Other errors cannot be handled here.
      if error.errno == .canceled { cancellation.noteLeftover(parent.childPath(temporary)) }
    }
    PendingCleanup.end()
  }

  /// Gives the folder its name, replacing an empty folder or, if that is allowed, one with content.
  ///
  /// - Throws: `FileError` with operation `create` if the name has been taken meanwhile, `rename` or `synchronize`.
  package consuming func commit() throws(FileError) {
    try handle.synchronizeFileSystem()
    do throws(FileError) {
      // Only an empty folder can be replaced by another (rename(2)).
      try parent.rename(temporary, to: name, in: parent, mode: .replace)
    } catch {
      try Self.check(path, replacing: isReplacing)
      guard isReplacing, error.errno == .directoryNotEmpty || error.errno == .fileExists else {
        throw FileError(.rename, path, error.errno, detail: error.detail)
      }
      // The earlier folder gets the temporary name, and is removed with this value.
      try parent.rename(temporary, to: name, in: parent, mode: .exchange)
      return try parent.synchronize()
    }
    needsCleanup = false
    PendingCleanup.end()
    try parent.synchronize()
  }

  /// Throws if no folder can be created at `path`.
  ///
  /// - Returns: The path of the folder to create; for a link, the path that the link leads to.
  /// - Throws: The errors of `create`.
  @discardableResult
  package static func check(
    _ path: String, replacing isReplacing: Bool = false
  ) throws(FileError) -> String {
    let name = FileSystem.name(of: path)
    guard !name.isEmpty, name != Array(".".utf8), name != Array("..".utf8) else {
      throw FileError(
        .create, path, .invalidArgument,
        detail: "the whole folder is replaced, so the path must end in a name, not in /, . or ..")
    }
    guard let found = try FileSystem.statusForCreation(at: path) else {
      try FileSystem.checkCreation(of: path)
      return path
    }
    guard found.kind == .folder else {
      throw FileError(
        .create, path, .notDirectory,
        detail: "it is a \(found.kind.name), expected an empty folder or none")
    }
    let isFree = isReplacing ? true : try DirectoryHandle.open(path).isEmpty()
    guard isFree else {
      throw FileError(
        .create, path, .directoryNotEmpty,
        detail: "the folder is not empty, expected an empty folder or none")
    }
    let isLink = try FileSystem.status(of: FilePath(path).string, followingLinks: false)?.kind == .link
    return isLink ? try FileSystem.resolved(path) : path
  }

  /// Removes the folders that killed processes left unfinished.
  private static func removeAbandoned(in folder: borrowing DirectoryHandle, for name: [UInt8]) {
    // Errors are ignored; leftover folders do no harm.
    for other in (try? folder.list()) ?? [] where TemporaryName.isTemporaryName(other, for: name) {
      guard let left = try? folder.openFolder(other), (try? POSIX.tryLock(left.descriptor.number)) == true
      else { continue }
      try? folder.removeTree(other)
    }
  }
}
