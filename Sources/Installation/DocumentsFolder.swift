import ContentPackage
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// A `Documents` folder, locked, with the folder in it where iapkg works:
///
///     Documents/<product>/                    the product: the content of the version in use, or in the versioned
///                                             layout a folder for each version and the link `current`
///     Documents/.iapkg/lock
///     Documents/.iapkg/records/<product>      what is known of the product
///     Documents/.iapkg/previous/<product>/    in the flat layout a folder for each previous version
///     Documents/.iapkg/kept/<product>/        files that iapkg did not install and that an update found in its way
///     Documents/.iapkg/origins/<product>      where the product was fetched from
///     Documents/.iapkg/stores/<digest>        the keys and the catalog that were seen of a store
///     Documents/.iapkg/downloads/<product>/   what was received of a product before a download ended early
///     Documents/.iapkg/pending                the record that a product gets once its change is complete
///     Documents/.iapkg/download               what is being received
///     Documents/.iapkg/staging/               what is to be a product, or a version of one
///     Documents/.iapkg/displaced/             what was one, where two folders cannot be exchanged in one step
///     Documents/.iapkg/link                   what is to be the link `current`
///     Documents/.iapkg/trash/                 what is being deleted
///     Documents/.iapkg/undeleted-<number>/    what iapkg may not delete, such as folders of another user
///     Documents/.iapkg/stores.new/            the notes on stores while the first of them are written
///
/// The last seven are there only while something is under way. Nobody else changes any of it while the value lives.
package struct DocumentsFolder: ~Copyable {
  let root: DirectoryHandle
  /// `Documents/.iapkg`.
  let workFolder: DirectoryHandle
  let records: DirectoryHandle
  /// Descriptors to clean up with.
  let reserve: DescriptorReserve
  /// Nil where somebody reads who has no right to lock.
  private let lock: FileLock?
  let access: DocumentsAccess

  /// The name of the folder in `Documents` where iapkg works.
  static let workFolderName = ".iapkg".utf8

  /// The names in `.iapkg`.
  enum Name {
    static let lock = "lock".utf8
    static let records = "records".utf8
    static let previous = "previous".utf8
    static let kept = "kept".utf8
    static let origins = "origins".utf8
    static let stores = "stores".utf8
    /// The notes on stores while the first of them are written.
    static let unfinishedStores = "stores.new".utf8
    static let downloads = "downloads".utf8
    /// What is being staged is a download, and this is the note on it.
    static let download = "download".utf8
    static let pending = "pending".utf8
    /// A pending record that is still being written.
    static let unfinished = "pending.new".utf8
    static let staging = "staging".utf8
    static let displaced = "displaced".utf8
    static let link = "link".utf8
    static let trash = "trash".utf8
    /// The beginning of the names of what this user may not delete.
    static let undeleted = "undeleted"
  }

  /// Deletes what has the name in `.iapkg`. What this user may not delete is put aside, so that it is in no other
  /// product's way.
  ///
  /// - Returns: whether there was anything.
  @discardableResult
  func clear(_ name: some Collection<UInt8>) throws -> Bool {
    guard try workFolder.status(of: name) != nil else { return false }
    do {
      try removeTreeIfAny(name, in: workFolder)
    } catch let error as FileError where error.isForbidden {
      guard try workFolder.status(of: name) != nil else { return true }
      let names = try workFolder.list().map { String(decoding: $0, as: UTF8.self) }
      let aside =
        (1...).lazy.map { "\(Name.undeleted)-\($0)" }.first { !names.contains($0) } ?? Name.undeleted
      try workFolder.move(name, to: aside.utf8, in: workFolder)
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

  /// Where large temporary files may go: on the same disk as the content.
  var spoolFolder: String { workFolder.path }

  /// Brings the names in a folder to stable storage, if that is asked for.
  func synchronize(_ folder: borrowing DirectoryHandle) throws(FileError) {
    if access.isDurable { try folder.synchronize() }
  }

  /// Removes what has the name in `folder`, with all that is in it, if anything has it. A signal leaves a short time for
  /// that, so it must be something that the next run removes as well.
  ///
  /// - Throws: `FileError`, `Interruption` if the time was over.
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

  /// Opens `.iapkg/<name>/<product>`, where `name` is that of previous versions or of kept files; nil if there is none.
  func openFolder(_ name: String.UTF8View, of product: ProductIdentifier) throws(FileError)
    -> DirectoryHandle?
  {
    guard try workFolder.status(of: name) != nil else { return nil }
    let folder = try workFolder.openFolder(name)
    guard try folder.status(of: product.text.utf8) != nil else { return nil }
    return try folder.openFolder(product.text.utf8)
  }

  /// Opens `.iapkg/<name>/<product>`, which is made if need be.
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
  /// Opens the folder at `path` beneath this one, part by part, never through a link.
  func openFolder(at path: EntryPath) throws(FileError) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try openFolder(parts.removeFirst())
    for part in parts { folder = try folder.openFolder(part) }
    return folder
  }

  /// Runs `body` with the folder that something at `path` lies in.
  func withParent<Value>(
    of path: EntryPath, _ body: (borrowing DirectoryHandle) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    guard let parent = path.parent else { return try body(self) }
    return try body(openFolder(at: parent))
  }

  /// Opens a folder in this one, after making it if it is missing.
  func openOrMakeFolder(_ name: some Collection<UInt8>) throws(FileError) -> DirectoryHandle {
    do throws(FileError) {
      return try openFolder(name)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
    do throws(FileError) {
      return try makeFolder(name)
    } catch {
      guard error.errno == .fileExists else { throw error }
      return try openFolder(name)
    }
  }

  /// Removes what has the name, with all that is in it, if anything has it.
  func removeTreeIfAny(_ name: some Collection<UInt8>) throws(FileError) {
    if try status(of: name) != nil { try removeTree(name) }
  }
}
