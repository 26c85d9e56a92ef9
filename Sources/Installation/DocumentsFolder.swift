import ContentPackage
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// A locked `Documents` folder, with iapkg's work folder in it:
///
///     Documents/<product>/                    the product: the content of the version in use, or in the versioned
///                                             layout a folder for each version and the link `current`
///     Documents/.iapkg/lock
///     Documents/.iapkg/records/<product>      the record of the product
///     Documents/.iapkg/previous/<product>/    in the flat layout a folder for each previous version
///     Documents/.iapkg/kept/<product>/        files that iapkg did not install and that an update had to move
///     Documents/.iapkg/origins/<product>      the origin of the product
///     Documents/.iapkg/indexes/<product>      the index of the product
///     Documents/.iapkg/stores/<digest>        the last seen keys and catalog of a store
///     Documents/.iapkg/number                 the note on the folder itself: its random number for rollouts
///     Documents/.iapkg/downloads/<product>/   the received part of an interrupted download
///     Documents/.iapkg/pending                the record of a product once its change is complete
///     Documents/.iapkg/pending.new            the pending record while it is written
///     Documents/.iapkg/download               the note on the current download
///     Documents/.iapkg/staging/               the new folder of a product or version
///     Documents/.iapkg/displaced/             the old folder, where two folders cannot be exchanged atomically, or the
///                                             folder of a removed product
///     Documents/.iapkg/outdated-<version>/    the folder of a version that is compared and then deleted
///     Documents/.iapkg/link                   the new link `current`
///     Documents/.iapkg/trash/                 the folder that is being deleted
///     Documents/.iapkg/undeleted-<number>/    items that iapkg may not delete, such as folders of another user
///     Documents/.iapkg/stores.new/            the notes on stores while the first of them are written
///
/// From `pending` on, the items exist only during a change, except `undeleted-<number>`. While a value with a lock
/// exists, no other iapkg process changes any of these items.
package struct DocumentsFolder: ~Copyable {
  let root: DirectoryHandle
  /// `Documents/.iapkg`.
  let workFolder: DirectoryHandle
  let records: DirectoryHandle
  /// Descriptors reserved for cleanup.
  let reserve: DescriptorReserve
  /// The lock on the folder; nil for a reader without permission to lock.
  private let lock: FileLock?
  let access: DocumentsAccess
  /// The product whose interrupted removal was completed when the folder was opened; nil if there was none.
  var removedProduct: ProductIdentifier?
  /// The items that the current change could not delete.
  let undeleted = UndeletedItems()

  /// The name of iapkg's work folder in `Documents`.
  static let workFolderName = ".iapkg".utf8

  /// The names in `.iapkg`.
  enum Name {
    static let lock = "lock".utf8
    static let records = "records".utf8
    static let previous = "previous".utf8
    static let kept = "kept".utf8
    static let origins = "origins".utf8
    static let indexes = "indexes".utf8
    static let stores = "stores".utf8
    /// The notes on stores while the first of them are written.
    static let unfinishedStores = "stores.new".utf8
    /// The note on the folder itself: its random number for rollouts.
    static let number = "number".utf8
    static let downloads = "downloads".utf8
    /// The note that marks staging as a download.
    static let download = "download".utf8
    static let pending = "pending".utf8
    /// An incomplete pending record.
    static let unfinished = "pending.new".utf8
    static let staging = "staging".utf8
    static let displaced = "displaced".utf8
    /// The prefix of the names of versions that are compared and then deleted.
    static let outdated = "outdated"
    static let link = "link".utf8
    static let trash = "trash".utf8
    /// The prefix of the names of items that this user may not delete.
    static let undeleted = "undeleted"
  }

  /// Deletes the item with the name in `.iapkg`. An item that this user may not delete is moved aside, so that it
  /// blocks no other product.
  ///
  /// - Parameters:
  ///   - name: The name in `.iapkg`.
  ///   - path: The path of the item before the current change; nil if the change does not report it.
  /// - Returns: Whether the item existed.
  /// - Throws: `FileError`, `Interruption`.
  @discardableResult
  func clear(_ name: some Collection<UInt8>, from path: String? = nil) throws -> Bool {
    guard try workFolder.status(of: name) != nil else { return false }
    do {
      try removeTreeIfAny(name, in: workFolder)
    } catch let error as FileError where error.isForbidden {
      guard try workFolder.status(of: name) != nil else { return true }
      let names = try workFolder.list().map { String(decoding: $0, as: UTF8.self) }
      let aside =
        (1...).lazy.map { "\(Name.undeleted)-\($0)" }.first { !names.contains($0) } ?? Name.undeleted
      try workFolder.move(name, to: aside.utf8, in: workFolder)
      if let path { undeleted.note(path, as: EntryPath(aside)) }
      access.report(.undeleted(path: workFolder.childPath(aside.utf8), error))
    }
    return true
  }

  init(
    root: consuming DirectoryHandle, workFolder: consuming DirectoryHandle,
    records: consuming DirectoryHandle,
    reserve: DescriptorReserve, lock: consuming FileLock?, access: DocumentsAccess
  ) {
    self.root = root
    self.workFolder = workFolder
    self.records = records
    self.reserve = reserve
    self.lock = lock
    self.access = access
  }

  /// The path of a product, for messages.
  func path(of product: ProductIdentifier) -> String { root.childPath(product.text.utf8) }

  /// The folder for large temporary files, on the same disk as the content.
  var spoolFolder: String { workFolder.path }

  /// Writes the names in a folder to stable storage if the access is durable.
  func synchronize(_ folder: borrowing DirectoryHandle) throws(FileError) {
    if access.isDurable { try folder.synchronize() }
  }

  /// Removes the item with the name in `folder`, if any, and everything in it. A signal allows little time for this, so
  /// the next run must be able to remove the item too.
  ///
  /// - Throws: `FileError`, or `Interruption` when the time for cleanup is over.
  func removeTreeIfAny(_ name: some Collection<UInt8>, in folder: borrowing DirectoryHandle) throws {
    let cancellation = access.context.cancellation
    guard try folder.status(of: name) != nil else { return }
    do throws(FileError) {
      try folder.removeTree(name, within: cancellation)
    } catch {
      guard error.errno == .canceled else { throw error }
      cancellation.noteLeftover(folder.childPath(name))
      throw Interruption()
    }
  }

  /// Opens `.iapkg/<name>/<product>`; nil if there is no such folder.
  func openFolder(_ name: String.UTF8View, of product: ProductIdentifier) throws(FileError)
    -> DirectoryHandle?
  {
    guard try workFolder.status(of: name) != nil else { return nil }
    let folder = try workFolder.openFolder(name)
    guard try folder.status(of: product.text.utf8) != nil else { return nil }
    return try folder.openFolder(product.text.utf8)
  }

  /// Opens `.iapkg/<name>/<product>`, and creates it if it is missing.
  func makeFolder(_ name: String.UTF8View, of product: ProductIdentifier) throws(FileError)
    -> DirectoryHandle
  {
    let folder = try workFolder.openOrMakeFolder(name)
    let made = try folder.openOrMakeFolder(product.text.utf8)
    try synchronize(folder)
    try synchronize(workFolder)
    return made
  }
}

extension DirectoryHandle {
  /// Opens the folder at `path` beneath this one, component by component, without following links.
  func openFolder(at path: EntryPath) throws(FileError) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try openFolder(parts.removeFirst())
    for part in parts { folder = try folder.openFolder(part) }
    return folder
  }

  /// Runs `body` with the parent folder of `path`.
  func withParent<Value>(
    of path: EntryPath, _ body: (borrowing DirectoryHandle) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    guard let parent = path.parent else { return try body(self) }
    return try body(openFolder(at: parent))
  }

  /// Opens a folder in this one, and creates it with `permissions` if it is missing.
  func openOrMakeFolder(
    _ name: some Collection<UInt8>, permissions: UInt16 = InstalledItem.folderPermissions
  ) throws(FileError) -> DirectoryHandle {
    do throws(FileError) {
      return try openFolder(name)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
    do throws(FileError) {
      return try makeFolder(name, permissions: permissions)
    } catch {
      guard error.errno == .fileExists else { throw error }
      return try openFolder(name)
    }
  }

  /// Removes the item with the name, if any, and everything in it.
  func removeTreeIfAny(_ name: some Collection<UInt8>) throws(FileError) {
    if try status(of: name) != nil { try removeTree(name) }
  }
}
