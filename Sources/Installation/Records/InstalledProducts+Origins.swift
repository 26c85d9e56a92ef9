package import ContentPackage
import SafeFiles

/// Notes on the origins of products, deleted with the products. This library does not interpret them.
extension InstalledProducts {
  /// Returns the named products, or all installed products, sorted by identifier, if `names` is empty.
  ///
  /// - Throws: `InstallationError`, such as `.notInstalled` for a name without a product; `FileError`, `DocumentsBusy`,
  ///   `Interruption`.
  package func identifiers(of names: [ProductIdentifier]) throws -> [ProductIdentifier] {
    let installed = try DocumentsFolder.withLock(access, for: .reading) { try $0.products() } ?? []
    for name in names where !installed.contains(name) {
      throw InstallationError.notInstalled(name, path: access.path)
    }
    return names.isEmpty ? installed.sorted { $0.text < $1.text } : names
  }

  /// Returns the note on a product; nil if there is no note or no such product.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func origin(of product: ProductIdentifier) throws -> [UInt8]? {
    let note = try DocumentsFolder.withLock(access, for: .reading) { try $0.origin(of: product) }
    return note ?? nil
  }

  /// Replaces the note on an installed product atomically, if it differs.
  ///
  /// - Throws: The errors of `origin(of:)`, and `RecordUnreadable`.
  package func note(origin note: [UInt8], of product: ProductIdentifier) throws {
    _ = try DocumentsFolder.withLock(access, for: .changing) { folder in
      // Recovery is complete by now, so the record, which may be long, need not be read.
      guard try folder.products().contains(product) else { return }
      try folder.note(origin: note, of: product)
    }
  }
}

extension InstalledProducts {
  /// Waits until no other process holds the lock of a `Documents` folder, and does not recover the folder.
  ///
  /// - Returns: False if another process still holds the lock after `timeout`.
  package static func waitForOthers(in documents: String, atMost timeout: Duration) -> Bool {
    do {
      let workFolder = try DirectoryHandle.open(documents).openFolder(DocumentsFolder.workFolderName)
      guard try workFolder.status(of: DocumentsFolder.Name.lock) != nil else { return true }
      guard let lock = try FileLock.acquire(DocumentsFolder.Name.lock, in: workFolder, waiting: timeout)
      else { return false }
      _ = consume lock
    } catch {}  // the work reports a folder that cannot be opened or locked
    return true
  }

  /// Returns the notes on all products, without locking or recovering the folder, which another process may be changing.
  /// Such a process replaces each note atomically; a note that it removes or that cannot be read is left out.
  ///
  /// - Throws: `FileError` if the notes cannot be listed.
  package static func originNotes(in documents: String) throws -> [[UInt8]] {
    let origins = try DirectoryHandle.open(documents).openFolder(DocumentsFolder.workFolderName)
      .openFolder(DocumentsFolder.Name.origins)
    return try origins.list().filter { $0.first != UInt8(ascii: ".") }.compactMap {
      try? origins.openFile($0).bytes(at: 0, count: maximumNoteSize)
    }
  }
}

extension DocumentsFolder {
  /// Returns the note on the origin of a product.
  func origin(of product: ProductIdentifier) throws -> [UInt8]? {
    guard try workFolder.status(of: Name.origins) != nil else { return nil }
    let origins = try workFolder.openFolder(Name.origins)
    guard try origins.status(of: product.text.utf8) != nil else { return nil }
    return try origins.openFile(product.text.utf8).bytes(at: 0, count: InstalledProducts.maximumNoteSize)
  }

  /// Replaces the note atomically, if it differs.
  func note(origin note: [UInt8], of product: ProductIdentifier) throws {
    guard try origin(of: product) != note else { return }
    try write(note, named: product.text.utf8, in: workFolder.openOrMakeFolder(Name.origins))
    try synchronize(workFolder)
  }
}
