import SafeFiles
import Support
import SystemPackage

extension FolderStore {
  /// Returns all files whose path begins with `prefix`, except temporary files and the lock.
  package func list(_ prefix: String) throws(StoreError) -> [StoredItem] {
    try items(beginningWith: prefix) { $0.hasPrefix(prefix) && !Self.isTemporary($0) && $0 != Self.lockName }
  }

  /// Returns the temporary files of killed or active publishers.
  package func leftovers() throws(StoreError) -> [StoredItem] { try items(Self.isTemporary) }

  package func discard(_ leftover: StoredItem) throws(StoreError) { try remove(leftover.path) }

  private func items(
    beginningWith prefix: String = "", _ isWanted: (String) -> Bool
  ) throws(StoreError) -> [StoredItem] {
    try walk(beginningWith: prefix).compactMap { item in
      let path = String(decoding: item.relativePath, as: UTF8.self)
      guard item.status.kind == .file, isWanted(path) else { return nil }
      return StoredItem(
        path: path, byteCount: item.status.size, modified: item.status.modificationTime.seconds)
    }
  }

  /// The maximum number of walks: the walk restarts when a file of an active publisher disappears.
  private static let maximumWalkCount = 20

  private func walk(beginningWith prefix: String) throws(StoreError) -> [FileTree.Item] {
    for _ in 0..<Self.maximumWalkCount {
      do throws(FileError) {
        return try FileTree.walk(name) { item in
          let path = String(decoding: item.relativePath, as: UTF8.self) + "/"
          return path.hasPrefix(prefix) || prefix.hasPrefix(path)
        }
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw StoreError(error) }
        if error.operation == .open { return [] }
        cancellation.wait(.milliseconds(Int64.random(in: 1...20)))
        if cancellation.isCancelled { throw StoreError(.cancelled, name, "stopped") }
      }
    }
    throw StoreError(
      .conflict, name,
      "\(name) kept changing while it was read; try again when no other process publishes to it")
  }

  /// Returns whether a path is that of an uncommitted `StagedOutput`.
  private static func isTemporary(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasPrefix(".") && name.dropFirst().contains(".iapkg-")
  }

  func remove(_ path: String) throws(StoreError) {
    let place = place(of: path)
    do throws(FileError) {
      try DirectoryHandle.open(FileSystem.folder(of: place)).remove(FileSystem.name(of: place))
    } catch {
      guard error.errno != .noSuchFileOrDirectory else { return }
      throw StoreError(error)
    }
  }

  /// Opens a file of the store; nil if it does not exist.
  func file(at path: StorePath) throws(StoreError) -> InputFile? {
    do throws(FileError) {
      return try InputFile.openUnlinked(place(of: path.text))
    } catch {
      if let link = link(in: path) {
        throw StoreError(
          FileError(
            .open, link, .tooManySymbolicLinkLevels,
            detail:
              "it is a symbolic link, and a store must not contain any; replace it with the file or folder itself"
          ))
      }
      guard error.errno == .noSuchFileOrDirectory else { throw StoreError(error) }
      return nil
    }
  }

  /// Returns the first symbolic link among the folders of a path and the file; nil for none. The path of the store
  /// itself may be a link.
  private func link(in path: StorePath) -> String? {
    var place = name
    for part in path.text.split(separator: "/") {
      place = FileSystem.joined(place, String(part))
      guard let status = try? FileSystem.status(of: place, followingLinks: false) else { return nil }
      if status.kind == .link { return place }
    }
    return nil
  }

  /// The maximum number of attempts to use a folder that other processes remove.
  private static let maximumAttemptCount = 100

  /// Creates the missing folders of the store and of an object's path, durably, and calls `body`. Repeats both if a
  /// folder disappears meanwhile: a process removes folders that it created and did not use.
  func withFolder<Value: ~Copyable>(
    of path: StorePath, _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    for _ in 1..<Self.maximumAttemptCount {
      do throws(FileError) {
        try makeFolder(of: path)
        return try body()
      } catch {
        guard error.errno == .noSuchFileOrDirectory, !cancellation.isCancelled else { throw error }
      }
    }
    try makeFolder(of: path)
    return try body()
  }

  private func makeFolder(of path: StorePath) throws(FileError) {
    var folder = name
    for part in [""] + path.text.split(separator: "/").dropLast().map(String.init) {
      if !part.isEmpty { folder = FileSystem.joined(folder, part) }
      let permissions = part.isEmpty ? 0 : sharedPermissions & Self.folderPermissions
      guard try madeFolders.make(folder, adding: permissions) else { continue }
      try DirectoryHandle.open(FileSystem.folder(of: folder)).synchronize()
    }
  }

  /// The permissions that subfolders inherit from the store's own folder, such as those of a publishing group,
  /// including the setgid and sticky bits.
  private static let folderPermissions: UInt16 = 0o3777
  /// The permissions that files inherit; files are replaced, never written to.
  static let filePermissions: UInt16 = 0o664

  /// The permissions of the store's own folder, which apply to all published files and folders, whatever the umask.
  var sharedPermissions: UInt16 {
    (try? FileSystem.status(of: name, followingLinks: true))?.permissions ?? 0
  }

  /// Rethrows file errors as store errors.
  func asStoreError<Value: ~Copyable>(
    _ body: () throws(FileError) -> Value
  ) throws(StoreError) -> Value {
    do throws(FileError) { return try body() } catch { throw StoreError(error) }
  }
}

extension StoredStatus {
  /// Creates the status of a file. Replacing a file changes its inode or time, and so its tag.
  init(_ file: InputFile) {
    let (time, identity) = (file.status.modificationTime, file.identity)
    self.init(
      byteCount: file.byteCount,
      tag: ObjectTag("\(identity.device)-\(identity.inode)-\(time.seconds).\(time.nanoseconds)"))
  }
}
