import SafeFiles
import SystemPackage

/// A `Documents` folder, locked, with the place in it that is iapkg's own:
///
///     Documents/<productId>/           the content, and nothing else
///     Documents/.iapkg/lock
///     Documents/.iapkg/records/        <productId>, and <productId>.pending while it is swapped in
///     Documents/.iapkg/staging/        <productId>: what is being unpacked
///     Documents/.iapkg/previous/       <productId>: the version before
///
/// Nobody else changes it while the value lives.
package struct DocumentsFolder: ~Copyable {
  let root: DirectoryHandle
  let records: DirectoryHandle
  let staging: DirectoryHandle
  let previous: DirectoryHandle
  private let own: DirectoryHandle
  private let lock: FileLock
  /// What opening has made, and leaving without a success takes away again.
  private let madeOwn: Bool
  private let madeRoot: Bool
  private let path: String

  static let ownName = ".iapkg"

  /// Opens and locks the folder at `path`, which is made if only it is missing, and puts in order what an
  /// interrupted run has left.
  ///
  /// - Throws: `FileFailure`, or `DocumentsBusy` if another iapkg works on the folder.
  package static func open(_ path: String) throws -> DocumentsFolder {
    let madeRoot = try FileSystem.makeFolderIfMissing(path)
    do {
      let root = try DirectoryHandle.open(path)
      let madeOwn = try root.status(of: ownName.utf8) == nil
      let own = try root.openOrMakeFolder(ownName)
      guard let lock = try FileLock.acquire("lock".utf8, in: own) else { throw DocumentsBusy(path: path) }
      let folder = DocumentsFolder(
        root: root, records: try own.openOrMakeFolder("records"),
        staging: try own.openOrMakeFolder("staging"),
        previous: try own.openOrMakeFolder("previous"), own: own, lock: lock, madeOwn: madeOwn,
        madeRoot: madeRoot, path: path)
      try folder.recover()
      return folder
    } catch {
      if madeRoot { FileSystem.removeFolderIfEmpty(path) }
      throw error
    }
  }

  private init(
    root: consuming DirectoryHandle, records: consuming DirectoryHandle, staging: consuming DirectoryHandle,
    previous: consuming DirectoryHandle, own: consuming DirectoryHandle, lock: consuming FileLock,
    madeOwn: Bool, madeRoot: Bool, path: String
  ) {
    self.root = root
    self.records = records
    self.staging = staging
    self.previous = previous
    self.own = own
    self.lock = lock
    self.madeOwn = madeOwn
    self.madeRoot = madeRoot
    self.path = path
  }

  /// Where large temporary files may go: on the same disk as the content.
  package var spoolFolder: String { staging.path }

  /// What is installed as `product`; nil if nothing is, or nothing that iapkg installed.
  package func record(of product: ProductIdentifier) throws -> InstallationRecord? {
    guard let live = try root.status(of: product.text.utf8), live.kind == .folder else { return nil }
    guard let record = try record(named: product.text), record.folder == live.identity else { return nil }
    return record
  }

  func record(named name: String) throws -> InstallationRecord? {
    guard try records.status(of: name.utf8) != nil else { return nil }
    let file = try records.openFile(name.utf8)
    return try InstallationRecord(
      decoding: file.bytes(at: 0, count: InstallationRecord.maximumBytes), path: file.path)
  }

  /// Leaves the folder as it was found.
  package consuming func abandon() {
    guard madeOwn else { return }
    try? root.removeTree(Self.ownName.utf8)
    if madeRoot { FileSystem.removeFolderIfEmpty(path) }
  }
}

/// Another iapkg holds the lock on this `Documents` folder.
package struct DocumentsBusy: Error { package let path: String }

extension DirectoryHandle {
  /// Opens a folder in this one, after making it if it is missing.
  fileprivate func openOrMakeFolder(_ name: String) throws(FileFailure) -> DirectoryHandle {
    do throws(FileFailure) {
      return try makeFolder(name.utf8)
    } catch {
      guard error.errno == .fileExists else { throw error }
      return try openFolder(name.utf8)
    }
  }
}
