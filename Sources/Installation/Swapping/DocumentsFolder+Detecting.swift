import ContentPackage
import SafeFiles
import ZipArchive

/// Detecting whether a step has taken effect, from the folders that it moves.
extension DocumentsFolder {
  /// Returns whether the step of a pending record has taken effect.
  func hasTakenEffect(_ pending: InstallationRecord) throws -> Bool {
    guard let change = pending.change else { return true }
    let product = pending.productIdentifier
    switch change.source {
    case .nothing:
      // Another item may have the product's name by now, so the moved folder and the record are checked first. The
      // cleanup deletes the folder after the record.
      if change.outgoing == nil { return true }
      for name in [Name.displaced, Name.trash] where try workFolder.status(of: name) != nil { return true }
      if try records.status(of: product.text.utf8) == nil { return true }
      return try root.status(of: product.text.utf8) == nil
    case .inPlace: return try currentVersion(of: product) == pending.inUseName
    case .package, .previousVersion:
      guard try !isStillPrevious(pending, change) else { return false }
      // Only a version in use is exchanged, so `current` leads to it already.
      if change.placement == .exchange { return try isExchanged(pending, change) }
      guard try liveInode(pending, change) != nil, try workFolder.status(of: Name.staging) == nil else {
        return false
      }
      return try change.target == .product || currentVersion(of: product) == pending.inUseName
    }
  }

  /// Returns whether the folder in use and staging were exchanged. Staging is then the old folder, with files of the
  /// user, until the cleanup has moved all of it. Staging decides, because the user may change or delete the new folder
  /// at any time.
  func isExchanged(_ pending: InstallationRecord, _ change: ProductChange) throws -> Bool {
    guard let staged = try workFolder.status(of: Name.staging) else { return true }
    if staged.identity.inode == change.outgoing { return true }
    if let live = try liveInode(pending, change), live == change.incoming { return true }
    if staged.identity.inode == change.incoming { return false }
    // No inode number matches: both folders were copied in this state, so only the content can decide. A folder with
    // anything but the new content may be the user's.
    return try staged.kind != .folder || !isNewContent(pending, change)
  }

  /// Returns whether staging has the new content, complete and unchanged, and nothing else.
  private func isNewContent(_ pending: InstallationRecord, _ change: ProductChange) throws -> Bool {
    guard let installed = pending.installed else { return false }
    let folder = try workFolder.openFolder(Name.staging)
    let inspector = contentInspector.toleratingUnreadable()
    switch (change.target, pending.layout) {
    case (.product, .versioned):
      return try inspectVersions(of: pending, installed, in: folder, with: inspector).isIntact
    case (.product, .flat):
      return try inspector.inspect(folder, against: installed, marked: pending.isExcludedFromBackup).isIntact
    case (.version, _):
      let isMarked = try BackupMark.isIn(folder)
      return try inspector.inspect(folder, against: installed, marked: isMarked).isIntact
    }
  }

  /// Returns the inode number of the folder in use; nil if there is none.
  private func liveInode(
    _ pending: InstallationRecord, _ change: ProductChange
  ) throws(FileError) -> UInt64? {
    guard try hasTarget(change, pending) else { return nil }
    return try withTarget(change.target, of: pending) { (folder, name) throws(FileError) in
      try folder.status(of: name)?.identity.inode
    }
  }

  /// Returns whether the previous version to be restored has not been moved yet.
  private func isStillPrevious(
    _ pending: InstallationRecord, _ change: ProductChange
  ) throws(FileError) -> Bool {
    guard change.source == .previousVersion,
      let folder = try openFolder(Name.previous, of: pending.productIdentifier)
    else { return false }
    return try folder.status(of: pending.inUseName) != nil
  }

  /// Returns whether the folder exists in which the change happens.
  func hasTarget(_ change: ProductChange, _ pending: InstallationRecord) throws(FileError) -> Bool {
    if change.target == .product { return true }
    return try root.status(of: pending.productIdentifier.text.utf8)?.kind == .folder
  }
}
