import ContentPackage
import SafeFiles
import Support
import SystemPackage

extension DocumentsFolder {
  /// What is done with a `Documents` folder.
  enum Purpose {
    /// Something is installed; the folder is made if it is missing.
    case installing
    /// What is installed is changed or removed.
    case changing
    /// It is found out what would be changed, and nothing is, not even what an interrupted run has left.
    case rehearsing
    /// It is only looked at, which needs no right to write.
    case reading
  }

  /// The most often that the place is looked for again because another iapkg has just taken it away.
  private static let mostAttempts = 1_000

  /// Locks the folder, completes or undoes what an interrupted run has left, runs `body`, and unlocks. What was made
  /// for nothing is taken away at the end.
  ///
  /// - Returns: what `body` returns; nil if iapkg has never installed anything there, and nothing is being installed.
  /// - Throws: `FileError`, with operation `open` if there is no such folder, `InstallationError`, `DocumentsBusy`,
  ///   `RecordUnreadable`, `Interruption`, and what `body` throws.
  static func withLock<Result>(
    _ access: DocumentsAccess, for purpose: Purpose,
    _ body: (borrowing DocumentsFolder) throws -> Result
  ) throws -> Result? {
    try refuseLink(access.path)
    var made: [String] = []
    defer { for path in made.reversed() { FileSystem.removeFolderIfEmpty(path) } }
    guard let folder = try locked(access, purpose, &made) else { return nil }
    defer {
      folder.reserve.release()
      if purpose != .reading { tidy(folder.workFolder, in: folder.root) }
    }
    switch purpose {
    case .installing, .changing: try folder.recover()
    case .reading: try folder.recoverIfAllowed()
    case .rehearsing: break
    }
    return try body(folder)
  }

  /// Opens and locks the folder, and makes what is missing if something is installed; adds to `made` what that was.
  private static func locked(
    _ access: DocumentsAccess, _ purpose: Purpose, _ made: inout [String]
  ) throws -> DocumentsFolder? {
    let isMaking = purpose == .installing
    let start = ContinuousClock.now
    for _ in 0..<mostAttempts {
      if isMaking { try makeRoot(access, &made) }
      guard let root = try openRoot(access.path, isMaking: isMaking) else { continue }
      do {
        guard try isMaking || root.status(of: workFolderName) != nil else { return nil }
        // So that there are some left to clean up with where they are what is missing.
        let reserve = try root.reserveDescriptors()
        let workFolder = try openWorkFolder(in: root, purpose)
        let lock = try lock(
          workFolder, access, purpose, timeout: access.lockTimeout - (ContinuousClock.now - start))
        guard try holds(lock, workFolder, in: root) else { continue }
        guard let records = try openRecords(in: workFolder, of: root, purpose, reserve) else { return nil }
        return DocumentsFolder(
          root: root, workFolder: workFolder, records: records, reserve: reserve, lock: lock, access: access)
      } catch let error as FileError where error.errno != .noSuchFileOrDirectory {
        if isMaking { try? root.removeFolder(workFolderName) }  // unless anything is in it
        throw error
      } catch is FileError {}  // it has just been taken away
    }
    throw DocumentsBusy(path: access.path)
  }

  /// Nil if the folder is to be made and has just been taken away.
  private static func openRoot(_ path: String, isMaking: Bool) throws(FileError) -> DirectoryHandle? {
    do throws(FileError) {
      return try DirectoryHandle.open(path)
    } catch {
      guard isMaking, error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  private static func makeRoot(_ access: DocumentsAccess, _ made: inout [String]) throws {
    let known = made.count
    do throws(FileError) {
      try FileSystem.makeFolders(access.path, withParents: access.makesParents, noting: &made)
    } catch {
      guard error.errno == .noSuchFileOrDirectory, !access.makesParents else { throw error }
      throw InstallationError.parentMissing(error)
    }
    guard access.isDurable else { return }
    for path in made[known...] { try DirectoryHandle.open(FileSystem.folder(of: path)).synchronize() }
  }

  /// Opens the place that is iapkg's own.
  private static func openWorkFolder(in root: borrowing DirectoryHandle, _ purpose: Purpose) throws
    -> DirectoryHandle
  {
    guard purpose != .reading else { return try root.openFolder(workFolderName) }
    try refuseOther(workFolderName, in: root)
    let workFolder =
      purpose == .installing ? try root.openOrMakeFolder(workFolderName) : try root.openFolder(workFolderName)
    for name in [Name.records, Name.previous, Name.kept, Name.origins, Name.downloads, Name.stores] {
      try refuseOther(name, in: workFolder)
    }
    return workFolder
  }

  /// Takes the lock; whoever only reads goes without it where the right to it is missing.
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

  /// Whether what was locked is still there: whoever held the lock before may have taken all of it away. Whoever has no
  /// lock takes what there is.
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

  /// Opens the folder of the records; nil if there is none and nothing is to be changed.
  private static func openRecords(
    in workFolder: borrowing DirectoryHandle, of root: borrowing DirectoryHandle, _ purpose: Purpose,
    _ reserve: DescriptorReserve
  ) throws(FileError) -> DirectoryHandle? {
    switch purpose {
    case .rehearsing, .reading:
      guard try workFolder.status(of: Name.records) != nil else { return nil }
      return try workFolder.openFolder(Name.records)
    case .installing, .changing:
      do throws(FileError) {
        return try workFolder.openOrMakeFolder(Name.records)
      } catch {
        reserve.release()
        tidy(workFolder, in: root)
        throw error
      }
    }
  }

  /// Removes `.iapkg` if nothing is kept in it; whoever does so holds the lock.
  private static func tidy(_ workFolder: borrowing DirectoryHandle, in root: borrowing DirectoryHandle) {
    do throws(FileError) {
      let isUnderWay = try workFolder.status(of: Name.pending) != nil
      guard !isUnderWay else { return }
      for name in [Name.previous, Name.kept, Name.downloads, Name.origins, Name.stores, Name.records]
      where try workFolder.status(of: name) != nil {
        // Each fails if anything is in it. Downloads and notes on stores outlive the records, which readers need.
        do throws(FileError) { try workFolder.removeFolder(name) } catch {
          if [Name.downloads, Name.origins, Name.stores, Name.records].contains(where: name.elementsEqual) {
            return
          }
        }
      }
      guard try workFolder.list() == [Array(Name.lock)] else { return }
      try workFolder.remove(Name.lock)
      try root.removeFolder(workFolderName)
    } catch {}  // it is in use, or will be taken away another time
  }

  /// Other links on the way are the user's own affair; through this one content would go somewhere else.
  private static func refuseLink(_ path: String) throws {
    guard let status = try? FileSystem.status(of: path, followingLinks: false), status.kind != .folder else {
      return  // what cannot even be looked at is met again when it is opened
    }
    throw InstallationError.unsuitable(path: path, found: "a \(status.kind.name)")
  }

  /// What is not a folder is not ours, and one that belongs to another user may hold anything.
  private static func refuseOther(_ name: String.UTF8View, in folder: borrowing DirectoryHandle) throws {
    guard let status = try folder.status(of: name) else { return }
    let isOurs = status.kind == .folder && status.owner == FileSystem.effectiveUser
    guard !isOurs else { return }
    let found = status.kind == .folder ? "a folder of user \(status.owner)" : "a \(status.kind.name)"
    throw InstallationError.unsuitable(path: folder.childPath(name), found: found)
  }
}

extension FileError {
  /// Whether the system says that we may not.
  var isForbidden: Bool {
    errno == .permissionDenied || errno == .notPermitted || errno == .readOnlyFileSystem
  }
}
