import SafeFiles
import SystemPackage

/// A `Documents` folder, locked, with the place in it that is iapkg's own:
///
///     Documents/<product-id>/             the product
///     Documents/.iapkg/lock
///     Documents/.iapkg/records/           for each product a record
///     Documents/.iapkg/previous/          for each product the version before, if there is one
///     Documents/.iapkg/pending            the record that a product gets once it has been replaced
///     Documents/.iapkg/staging/           what is to be a product
///     Documents/.iapkg/displaced/         what was one, where two folders cannot be exchanged in one step
///     Documents/.iapkg/trash/             what is being deleted
///
/// The last four are there only while something is under way. Nobody else changes any of it while the value
/// lives; `close` must be called at the end.
package struct DocumentsFolder: ~Copyable {
  let root: DirectoryHandle
  let own: DirectoryHandle
  let records: DirectoryHandle
  let previous: DirectoryHandle
  private let lock: FileLock
  private let madeRoot: Bool
  let access: DocumentsAccess

  static let ownName = ".iapkg"

  /// The names in `.iapkg`.
  enum Name {
    static let lock = "lock".utf8
    static let records = "records".utf8
    static let previous = "previous".utf8
    static let pending = "pending".utf8
    /// A pending record that is still being written.
    static let unfinished = "pending.new".utf8
    static let staging = "staging".utf8
    static let displaced = "displaced".utf8
    static let trash = "trash".utf8
  }

  /// The most often that the place is looked for again because another iapkg has just taken it away.
  private static let mostAttempts = 1_000

  /// Opens and locks the folder, which is made if only it is missing, and puts in order what an interrupted run
  /// has left.
  ///
  /// - Throws: `FileFailure`, `InstallationRefusal`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package static func open(_ access: DocumentsAccess) throws -> DocumentsFolder {
    try refuseLink(access.path)
    var madeRoot = false
    do {
      guard let folder = try locked(access, making: true, &madeRoot) else {
        throw DocumentsBusy(path: access.path)
      }
      return try folder.recovered()
    } catch {
      if madeRoot { FileSystem.removeFolderIfEmpty(access.path) }
      throw error
    }
  }

  /// Opens and locks a folder in which something may be installed.
  ///
  /// - Parameters:
  ///   - access: where, and how.
  ///   - recovering: whether what an interrupted run has left is put in order.
  /// - Returns: nil if iapkg has never installed anything there.
  /// - Throws: as `open`; `FileFailure` with operation `open` if there is no such folder.
  package static func openExisting(
    _ access: DocumentsAccess, recovering: Bool = true
  ) throws -> DocumentsFolder? {
    try refuseLink(access.path)
    var madeRoot = false
    guard let folder = try locked(access, making: false, &madeRoot) else { return nil }
    return recovering ? try folder.recovered() : folder
  }

  private init(
    root: consuming DirectoryHandle, own: consuming DirectoryHandle, records: consuming DirectoryHandle,
    previous: consuming DirectoryHandle, lock: consuming FileLock, madeRoot: Bool, access: DocumentsAccess
  ) {
    self.records = records
    self.previous = previous
    self.root = root
    self.own = own
    self.lock = lock
    self.madeRoot = madeRoot
    self.access = access
  }

  /// Opens and locks the folder, and makes what is missing if it may; `madeRoot` becomes true if that was the folder
  /// itself.
  private static func locked(
    _ access: DocumentsAccess, making: Bool, _ madeRoot: inout Bool
  ) throws -> DocumentsFolder? {
    let start = ContinuousClock.now
    for _ in 0..<mostAttempts {
      if making, try FileSystem.makeFolderIfMissing(access.path) {
        madeRoot = true
        if access.isDurable { try DirectoryHandle.open(FileSystem.folder(of: access.path)).synchronize() }
      }
      do {
        let root = try DirectoryHandle.open(access.path)
        guard try making || root.status(of: ownName.utf8) != nil else { return nil }
        let own = try openOwn(in: root, making: making)
        for name in [Name.records, Name.previous] { try refuseOther(name, in: own) }
        let patience = max(.zero, access.patience - (ContinuousClock.now - start))
        access.progress.begin(.waiting, access.path)
        let lock = try FileLock.acquire(
          Name.lock, in: own, waiting: patience, cancellation: access.cancellation)
        guard let lock else {
          try access.cancellation.check()
          throw DocumentsBusy(path: access.path)
        }
        // Whoever held it before may have taken all of it away.
        let isOwn = try root.status(of: ownName.utf8)?.identity == own.status().identity
        guard try isOwn && own.status(of: Name.lock)?.identity == lock.identity else { continue }
        do throws(FileFailure) {
          _ = try own.openOrMakeFolder(Name.records)
          _ = try own.openOrMakeFolder(Name.previous)
        } catch {
          tidy(own, in: root)
          throw error
        }
        let records = try own.openOrMakeFolder(Name.records)
        let previous = try own.openOrMakeFolder(Name.previous)
        return DocumentsFolder(
          root: root, own: own, records: records, previous: previous, lock: lock, madeRoot: madeRoot,
          access: access)
      } catch let failure as FileFailure {
        guard failure.errno == .noSuchFileOrDirectory, making || failure.path != access.path else {
          // Unless anything is in it.
          if making { try? DirectoryHandle.open(access.path).removeFolder(ownName.utf8) }
          throw failure
        }
      }
    }
    throw DocumentsBusy(path: access.path)
  }

  private consuming func recovered() throws -> DocumentsFolder {
    do {
      try recover()
    } catch {
      close()
      throw error
    }
    return self
  }

  /// What has the name of a product; nil if nothing has.
  func kind(of product: ProductIdentifier) throws(FileFailure) -> FileStatus.Kind? {
    try root.status(of: product.text.utf8)?.kind
  }

  func path(of product: ProductIdentifier) -> String { root.childPath(product.text.utf8) }

  /// Where large temporary files may go: on the same disk as the content.
  var spoolFolder: String { own.path }

  /// Unlocks, and takes away what was made for nothing.
  package consuming func close() {
    Self.tidy(own, in: root)
    if madeRoot { FileSystem.removeFolderIfEmpty(access.path) }
  }

  /// Removes what is iapkg's own if nothing is kept in it; whoever does so holds the lock.
  private static func tidy(_ own: borrowing DirectoryHandle, in root: borrowing DirectoryHandle) {
    do throws(FileFailure) {
      // Each fails, and ends it, if anything is in it.
      for name in [Name.records, Name.previous] where try own.status(of: name) != nil {
        try own.removeFolder(name)
      }
      guard try own.list() == [Array(Name.lock)] else { return }
      try own.remove(Name.lock)
      try root.removeFolder(ownName.utf8)
    } catch {}  // it is in use, or will be taken away another time
  }
}

extension DocumentsFolder {
  /// Other links on the way are the user's own affair; through this one content would go somewhere else.
  private static func refuseLink(_ path: String) throws {
    guard let status = try? FileSystem.status(of: path, followingLinks: false), status.kind != .folder else {
      return  // what cannot even be looked at is met again when it is opened
    }
    throw InstallationRefusal.unsuitable(path: path, found: "a \(status.kind.name)")
  }

  /// What is not a folder is not ours, and one that belongs to another user may hold anything.
  private static func refuseOther(_ name: String.UTF8View, in folder: borrowing DirectoryHandle) throws {
    guard let status = try folder.status(of: name) else { return }
    let isOurs = status.kind == .folder && status.owner == FileSystem.effectiveUser
    guard !isOurs else { return }
    let found = status.kind == .folder ? "a folder of user \(status.owner)" : "a \(status.kind.name)"
    throw InstallationRefusal.unsuitable(path: "\(folder.path)/\(String(name))", found: found)
  }

  /// Opens the place that is iapkg's own.
  private static func openOwn(in root: borrowing DirectoryHandle, making: Bool) throws -> DirectoryHandle {
    try refuseOther(ownName.utf8, in: root)
    return making ? try root.openOrMakeFolder(ownName.utf8) : try root.openFolder(ownName.utf8)
  }
}

extension DirectoryHandle {
  /// Opens a folder in this one, after making it if it is missing.
  fileprivate func openOrMakeFolder(_ name: String.UTF8View) throws(FileFailure) -> DirectoryHandle {
    do throws(FileFailure) {
      return try openFolder(name)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
    do throws(FileFailure) {
      return try makeFolder(name)
    } catch {
      guard error.errno == .fileExists else { throw error }
      return try openFolder(name)
    }
  }
}
