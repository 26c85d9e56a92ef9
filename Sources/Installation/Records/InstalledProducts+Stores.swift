import SafeFiles
import Support

/// An update of the note on a store, computed from its current content.
package struct StoreNote: Sendable {
  /// Derives notes on stores, by their names, from the notes on products that earlier versions wrote.
  package typealias Migration = @Sendable (_ origins: [[UInt8]]) -> [String: [UInt8]]

  let name: String
  let migration: Migration
  let make: @Sendable (_ known: [UInt8]?) throws -> [UInt8]

  /// Creates an update of the note on a store.
  ///
  /// - Parameters:
  ///   - name: The name of the note, the same for every address of the store.
  ///   - migration: Creates the first notes on stores.
  ///   - make: Returns the new note for the known one, or throws if they contradict each other.
  package init(
    name: String, migration: @escaping Migration,
    make: @escaping @Sendable (_ known: [UInt8]?) throws -> [UInt8]
  ) {
    self.name = name
    self.migration = migration
    self.make = make
  }
}

/// Notes on stores, which outlive the products. This library does not interpret them.
extension InstalledProducts {
  /// The maximum size of a note on a store, in bytes.
  package static let maximumStoreNoteSize = 512 << 10

  /// Returns the note on a store; nil if there is none.
  ///
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func storeNote(named name: String, migration: StoreNote.Migration) throws -> [UInt8]? {
    let note = try DocumentsFolder.withLock(access, for: .reading) { folder in
      try folder.storeNote(named: name, migration: migration)
    }
    return note ?? nil
  }

  /// Replaces the note on a store atomically, if it differs.
  ///
  /// - Parameters:
  ///   - note: The update of the note.
  ///   - makesFolder: Whether a missing `Documents` folder is created for the note. Otherwise the note is written only
  ///     if the folder has ever had an installation.
  /// - Throws: `RecordUnreadable`, and the errors of `storeNote(named:migration:)` and of `make`.
  package func note(store note: StoreNote, makingFolder makesFolder: Bool = false) throws {
    _ = try DocumentsFolder.withLock(access, for: makesFolder ? .installing : .changing) {
      try $0.note(store: note)
    }
  }
}

extension DocumentsFolder {
  func storeNote(named name: String, migration: StoreNote.Migration) throws -> [UInt8]? {
    guard try workFolder.status(of: Name.stores) != nil else { return migration(try origins())[name] }
    let stores = try workFolder.openFolder(Name.stores)
    guard try stores.status(of: name.utf8) != nil else { return nil }
    return try stores.openFile(name.utf8).bytes(at: 0, count: InstalledProducts.maximumStoreNoteSize)
  }

  /// Replaces the note on a store atomically, if it differs.
  func note(store note: StoreNote) throws {
    let known = try storeNote(named: note.name, migration: note.migration)
    let text = try note.make(known)
    guard text != known else { return }
    if try workFolder.status(of: Name.stores) == nil { try makeStores(migrating: note.migration) }
    try write(text, named: note.name.utf8, in: workFolder.openFolder(Name.stores))
  }

  /// Creates the folder of notes on stores atomically, with the notes migrated from products.
  private func makeStores(migrating migration: StoreNote.Migration) throws {
    try workFolder.removeTreeIfAny(Name.unfinishedStores)
    do {
      let stores = try workFolder.makeFolder(
        Name.unfinishedStores, permissions: InstalledItem.folderPermissions)
      for (name, text) in migration(try origins()) { try write(text, named: name.utf8, in: stores) }
      try synchronize(stores)
      try workFolder.rename(Name.unfinishedStores, to: Name.stores, in: workFolder, mode: .replace)
    } catch {
      try? workFolder.removeTreeIfAny(Name.unfinishedStores)
      throw error
    }
    try synchronize(workFolder)
  }

  /// Returns all notes on products.
  private func origins() throws -> [[UInt8]] {
    guard try workFolder.status(of: Name.origins) != nil else { return [] }
    let origins = try workFolder.openFolder(Name.origins)
    return try origins.list().filter { $0.first != UInt8(ascii: ".") }.map {
      try origins.openFile($0).bytes(at: 0, count: InstalledProducts.maximumNoteSize)
    }
  }

  /// Replaces a note atomically.
  func write(_ text: [UInt8], named name: String.UTF8View, in folder: borrowing DirectoryHandle) throws {
    // Any UInt8 is a byte.
    try write(named: name, in: folder) { try $0.write(unsafe text.borrowedSpan.bytes) }
  }

  /// Replaces a file atomically. An error, such as that of a full disk, leaves the previous file and nothing beside it:
  /// a folder that was created for the file can then be removed.
  func write(
    named name: String.UTF8View, in folder: borrowing DirectoryHandle,
    _ body: (inout OutputFile) throws -> Void
  ) throws {
    // No product or store name begins with a dot.
    let unfinished = ".new".utf8
    if try folder.status(of: unfinished) != nil { try folder.remove(unfinished) }
    do {
      try create(unfinished, in: folder, body)
      try folder.rename(unfinished, to: name, in: folder, mode: .replace)
    } catch {
      try? folder.remove(unfinished)
      throw error
    }
    try synchronize(folder)
  }

  private func create(
    _ name: String.UTF8View, in folder: borrowing DirectoryHandle,
    _ body: (inout OutputFile) throws -> Void
  ) throws {
    var file = try folder.createFile(name, permissions: InstalledItem.filePermissions)
    try body(&file)
    if access.isDurable { try file.synchronize() }
    try file.close()
  }
}
