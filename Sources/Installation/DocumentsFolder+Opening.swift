import ContentPackage
import SafeFiles
import Support
import SystemPackage

extension DocumentsFolder {
  /// The purpose of opening a `Documents` folder.
  enum Purpose {
    /// Installs a product; creates the folder if it is missing.
    case installing
    /// Changes or removes installed products.
    case changing
    /// Determines the effect of a change without making any, not even recovery.
    case dryRun
    /// Only reads, which needs no write permission.
    case reading
  }

  /// The maximum number of attempts to open the folder while other processes remove it.
  private static let maximumAttemptCount = 1_000

  /// Locks the folder, recovers from an interrupted run, runs `body`, and unlocks. Created folders that stay empty are
  /// removed at the end.
  ///
  /// - Returns: The result of `body`; nil if iapkg never installed anything in the folder and the purpose is not to
  ///   install.
  /// - Throws: `FileError`, with operation `open` if the folder is missing, `InstallationError`, `DocumentsBusy`,
  ///   `RecordUnreadable`, `SourceError`, `Interruption`, and the errors of `body`.
  static func withLock<Result>(
    _ access: DocumentsAccess, for purpose: Purpose,
    _ body: (borrowing DocumentsFolder) throws -> Result
  ) throws -> Result? {
    do {
      return try withLock(access, for: purpose, with: ()) { folder, _ in try body(folder) }
    } catch is NothingInstalled { return nil }
  }

  /// The error for a folder in which iapkg never installed anything.
  struct NothingInstalled: Error {}

  /// Performs `withLock`, and passes `body` a value to consume.
  ///
  /// - Throws: The errors of `withLock`, and `NothingInstalled` unless the purpose is to install.
  static func withLock<Input, Result>(
    _ access: DocumentsAccess, for purpose: Purpose, with input: consuming Input,
    _ body: (borrowing DocumentsFolder, consuming Input) throws -> Result
  ) throws -> Result {
    try refuseLink(access.path)
    let made = MadeFolders()
    defer { made.removeEmpty() }
    var folder = try locked(access, purpose, made)
    defer {
      folder.reserve.release()
      if purpose != .reading { removeIfEmpty(folder.workFolder, in: folder.root) }
    }
    switch purpose {
    case .installing, .changing: folder.removedProduct = try folder.recover()
    case .reading: try folder.recoverIfAllowed()
    case .dryRun: break
    }
    return try body(folder, consume input)
  }

  /// Opens and locks the folder. An installation creates missing folders and adds them to `made`.
  private static func locked(
    _ access: DocumentsAccess, _ purpose: Purpose, _ made: MadeFolders
  ) throws -> DocumentsFolder {
    let isMaking = purpose == .installing
    let start = ContinuousClock.now
    for _ in 0..<maximumAttemptCount {
      if isMaking { try makeRoot(access, made) }
      guard let root = try openRoot(access.path, isMaking: isMaking) else { continue }
      do {
        guard try isMaking || root.status(of: workFolderName) != nil else { throw NothingInstalled() }
        // Reserved before the rest, so that cleanup works even when descriptors run out.
        let reserve = try root.reserveDescriptors()
        let workFolder = try openWorkFolder(in: root, purpose)
        let lock = try lock(
          workFolder, access, purpose, timeout: access.lockTimeout - (ContinuousClock.now - start))
        guard try holds(lock, workFolder, in: root) else { continue }
        let records = try openRecords(in: workFolder, of: root, purpose, reserve)
        return DocumentsFolder(
          root: root, workFolder: workFolder, records: records, reserve: reserve, lock: lock, access: access)
      } catch let error as FileError where error.errno != .noSuchFileOrDirectory {
        if isMaking { try? root.removeFolder(workFolderName) }  // fails unless it is empty
        throw error
      } catch is FileError {}  // another process has just removed the folder
    }
    throw DocumentsBusy(path: access.path)
  }

  /// Opens the `Documents` folder; nil during an installation if another process has just removed the folder.
  private static func openRoot(_ path: String, isMaking: Bool) throws(FileError) -> DirectoryHandle? {
    do throws(FileError) {
      return try DirectoryHandle.open(path)
    } catch {
      guard isMaking, error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// Checks that an installation could create the missing folder.
  ///
  /// - Throws: The errors of an installation.
  static func checkMissingRoot(_ access: DocumentsAccess) throws {
    try refuseLink(access.path)
    try namingMissingParent(access) { () throws(FileError) in
      try FileSystem.checkFolder(access.path, withParents: access.makesParents)
    }
  }

  /// Checks that an installation could change an existing folder, apart from the folders of products.
  ///
  /// - Throws: `FileError` with operation `create`.
  static func checkChanging(_ access: DocumentsAccess) throws(FileError) {
    let path = FileSystem.joined(access.path, String(decoding: workFolderName, as: UTF8.self))
    for folder in [access.path, path] { try FileSystem.checkChanging(folder, creating: path) }
  }

  /// Rethrows the error of a missing parent folder as `InstallationError.parentMissing`.
  private static func namingMissingParent(
    _ access: DocumentsAccess, _ body: () throws(FileError) -> Void
  ) throws {
    do throws(FileError) { try body() } catch {
      guard error.errno == .noSuchFileOrDirectory, !access.makesParents else { throw error }
      throw InstallationError.parentMissing(error)
    }
  }

  private static func makeRoot(_ access: DocumentsAccess, _ made: MadeFolders) throws {
    let known = made.paths.count
    try namingMissingParent(access) { () throws(FileError) in
      try made.make(access.path, withParents: access.makesParents)
    }
    guard access.isDurable else { return }
    for path in made.paths[known...] { try DirectoryHandle.open(FileSystem.folder(of: path)).synchronize() }
  }

  /// Opens `.iapkg`. An installation creates the folder if it is missing.
  private static func openWorkFolder(in root: borrowing DirectoryHandle, _ purpose: Purpose) throws
    -> DirectoryHandle
  {
    guard purpose != .reading else { return try root.openFolder(workFolderName) }
    try refuseUnsuitable(workFolderName, in: root)
    let workFolder =
      purpose == .installing ? try root.openOrMakeFolder(workFolderName) : try root.openFolder(workFolderName)
    for name in [Name.records, Name.previous, Name.kept, Name.origins, Name.downloads, Name.stores] {
      try refuseUnsuitable(name, in: workFolder)
    }
    return workFolder
  }

  /// Acquires the lock. A reader without permission to lock proceeds unlocked.
  private static func lock(
    _ workFolder: borrowing DirectoryHandle, _ access: DocumentsAccess, _ purpose: Purpose, timeout: Duration
  ) throws -> FileLock? {
    access.context.progress.begin(.waiting, access.path)
    do throws(FileError) {
      let lock = try FileLock.acquire(
        Name.lock, in: workFolder, waiting: max(.zero, timeout), cancellation: access.context.cancellation)
      if let lock { return lock }
    } catch {
      guard purpose == .reading, error.isForbidden else { throw error }
      return nil
    }
    try access.context.cancellation.check()
    throw DocumentsBusy(path: access.path)
  }

  /// Returns whether the locked file is still in place: the previous holder of the lock may have removed the folder.
  /// Always true without a lock.
  private static func holds(
    _ lock: borrowing FileLock?, _ workFolder: borrowing DirectoryHandle, in root: borrowing DirectoryHandle
  ) throws(FileError) -> Bool {
    switch lock {
    case .none: return true
    case .some(let lock):
      let isSameFolder = try root.status(of: workFolderName)?.identity == workFolder.status().identity
      let locked = try workFolder.status(of: Name.lock)?.identity
      return isSameFolder && locked == lock.identity
    }
  }

  /// Opens the folder of records.
  ///
  /// - Throws: `NothingInstalled` if the folder is missing and the purpose changes nothing; `FileError`.
  private static func openRecords(
    in workFolder: borrowing DirectoryHandle, of root: borrowing DirectoryHandle, _ purpose: Purpose,
    _ reserve: DescriptorReserve
  ) throws -> DirectoryHandle {
    switch purpose {
    case .dryRun, .reading:
      guard try workFolder.status(of: Name.records) != nil else { throw NothingInstalled() }
      return try workFolder.openFolder(Name.records)
    case .installing, .changing:
      do throws(FileError) {
        return try workFolder.openOrMakeFolder(Name.records)
      } catch {
        reserve.release()
        removeIfEmpty(workFolder, in: root)
        throw error
      }
    }
  }

  /// Removes `.iapkg` if it is empty; the caller must hold the lock.
  private static func removeIfEmpty(
    _ workFolder: borrowing DirectoryHandle, in root: borrowing DirectoryHandle
  ) {
    do throws(FileError) {
      let hasPendingChange = try workFolder.status(of: Name.pending) != nil
      guard !hasPendingChange else { return }
      for name in [
        Name.previous, Name.kept, Name.indexes, Name.downloads, Name.origins, Name.stores, Name.records,
      ]
      where try workFolder.status(of: name) != nil {
        // Removal fails for folders that are not empty. Readers need the folder of records, even an empty one, as long
        // as downloads or notes remain.
        do throws(FileError) { try workFolder.removeFolder(name) } catch {
          if [Name.downloads, Name.origins, Name.stores, Name.records].contains(where: name.elementsEqual) {
            return
          }
        }
      }
      guard try workFolder.list() == [Array(Name.lock)] else { return }
      try workFolder.remove(Name.lock)
      try root.removeFolder(workFolderName)
    } catch {}  // it is in use; a later run removes it
  }

  /// Throws if the item at `path` is not a folder: a link there would redirect the content. Links further up the path
  /// are the user's choice.
  private static func refuseLink(_ path: String) throws {
    guard let status = try? FileSystem.status(of: path, followingLinks: false), status.kind != .folder else {
      return  // an unreadable path fails when it is opened
    }
    throw InstallationError.unsuitable(path: path, found: "a \(status.kind.name)")
  }

  /// Refuses an item that is not a folder, or a folder of another user, whose content is not trusted.
  private static func refuseUnsuitable(_ name: String.UTF8View, in folder: borrowing DirectoryHandle) throws {
    guard let status = try folder.status(of: name) else { return }
    let isOurs = status.kind == .folder && status.owner == FileSystem.effectiveUser
    guard !isOurs else { return }
    let found = status.kind == .folder ? "a folder of user \(status.owner)" : "a \(status.kind.name)"
    throw InstallationError.unsuitable(path: folder.childPath(name), found: found)
  }
}

extension FileError {
  /// Whether permissions, a read-only file system or a mount point caused the error.
  var isForbidden: Bool {
    errno == .permissionDenied || errno == .notPermitted || errno == .readOnlyFileSystem || isMountPoint
  }

  /// Whether the item, or something in it, cannot be moved to another folder of `Documents`.
  var isImmovable: Bool { isForbidden || errno == .improperLink }

  /// Whether the item is a mount point, which can be neither moved nor removed.
  var isMountPoint: Bool { errno == .resourceBusy }
}
