package import ContentPackage
import SafeFiles

/// Notes on where products come from, which live as long as the products. What is in them is not the concern of this
/// library.
extension InstalledProducts {
  /// The products that are named, or without names all that are installed.
  ///
  /// - Throws: `InstallationError.notInstalled` for one that is not, `FileError`, `DocumentsBusy`, `Interruption`.
  package func identifiers(of names: [ProductIdentifier]) throws -> [ProductIdentifier] {
    let installed = try DocumentsFolder.withLock(access, for: .reading) { try $0.products() } ?? []
    for name in names where !installed.contains(name) {
      throw InstallationError.notInstalled(name, path: access.path)
    }
    return names.isEmpty ? installed.sorted { $0.text < $1.text } : names
  }

  /// The note on a product; nil if there is none, or no such product.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func origin(of product: ProductIdentifier) throws -> [UInt8]? {
    let note = try DocumentsFolder.withLock(access, for: .reading) { try $0.origin(of: product) }
    return note ?? nil
  }

  /// Replaces the note on a product that is installed, in one step, if it changes.
  ///
  /// - Throws: as `origin(of:)`.
  package func note(origin note: [UInt8], of product: ProductIdentifier) throws {
    _ = try DocumentsFolder.withLock(access, for: .changing) { folder in
      // What interrupted runs have left is in order by now, and the record, which may be long, need not be read.
      guard try folder.products().contains(product) else { return }
      try folder.note(origin: note, of: product)
    }
  }
}

extension InstalledProducts {
  /// The notes on all products, read without a lock and whatever state the folder is in.
  ///
  /// - Throws: `FileError`, `SourceError`.
  package static func originNotes(in documents: String) throws -> [[UInt8]] {
    let origins = try DirectoryHandle.open(documents).openFolder(DocumentsFolder.workFolderName)
      .openFolder(DocumentsFolder.Name.origins)
    return try origins.list().map { try origins.openFile($0).bytes(at: 0, count: longestNote) }
  }
}

extension DocumentsFolder {
  /// What is noted of where a product comes from.
  func origin(of product: ProductIdentifier) throws -> [UInt8]? {
    guard try workFolder.status(of: Name.origins) != nil else { return nil }
    let origins = try workFolder.openFolder(Name.origins)
    guard try origins.status(of: product.text.utf8) != nil else { return nil }
    return try origins.openFile(product.text.utf8).bytes(at: 0, count: InstalledProducts.longestNote)
  }

  /// Replaces that in one step, if it changes.
  func note(origin note: [UInt8], of product: ProductIdentifier) throws {
    guard try origin(of: product) != note else { return }
    try write(note, named: product.text.utf8, in: workFolder.openOrMakeFolder(Name.origins))
    try synchronize(workFolder)
  }
}
