import SafeFiles

/// The note on the `Documents` folder itself, which outlives the products. This library does not interpret it.
extension InstalledProducts {
  /// The maximum size of the note on the folder, in bytes.
  private static let maximumFolderNoteSize = 4 << 10

  /// Returns the note on the folder; nil if there is none.
  ///
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func folderNote() throws -> [UInt8]? {
    let note = try DocumentsFolder.withLock(access, for: .reading) { try Self.folderNote(in: $0) }
    return note ?? nil
  }

  /// Replaces the note on the folder atomically with the result of `make`, which receives the known note. Creates a
  /// missing folder.
  ///
  /// - Returns: The new note.
  /// - Throws: The errors of `folderNote`, and `RecordUnreadable`.
  package func note(folder make: ([UInt8]?) -> [UInt8]) throws -> [UInt8]? {
    try DocumentsFolder.withLock(access, for: .installing) { folder in
      let known = try Self.folderNote(in: folder)
      let note = make(known)
      if note != known { try folder.write(note, named: DocumentsFolder.Name.number, in: folder.workFolder) }
      return note
    }
  }

  private static func folderNote(in folder: borrowing DocumentsFolder) throws -> [UInt8]? {
    guard try folder.workFolder.status(of: DocumentsFolder.Name.number) != nil else { return nil }
    return try folder.workFolder.openFile(DocumentsFolder.Name.number)
      .bytes(at: 0, count: maximumFolderNoteSize)
  }
}

extension InstalledProducts {
  /// Returns whether the item `name` in a folder belongs to iapkg: its work folder, or an installed product with a
  /// record. A program must not write its output into such an item. Opens no folder, so that a sandbox does not change
  /// the result.
  package static func owns(_ name: String, in documents: String) -> Bool {
    let workFolderName = String(decoding: DocumentsFolder.workFolderName, as: UTF8.self)
    let workFolder = FileSystem.joined(documents, workFolderName)
    let recordsName = String(decoding: DocumentsFolder.Name.records, as: UTF8.self)
    let records = FileSystem.joined(workFolder, recordsName)
    guard (try? FileSystem.kind(of: records)) == .folder else { return false }
    return name == workFolderName || (try? FileSystem.kind(of: FileSystem.joined(records, name))) == .file
  }
}
