import ContentPackage
import SafeFiles
import ZipArchive

extension DocumentsFolder {
  /// Rolls back the step of a pending record as far as it took effect, and deletes the record.
  func undo(_ pending: InstallationRecord) throws {
    guard let change = pending.change else { return }
    try undoLink(pending, change)
    try undoPlacement(pending, change)
    // The record must not be deleted on disk before the folder is back. The caller throws an error in any case, so
    // ignoring failures here hides nothing.
    try? synchronize(root)
    try? synchronizeStep(pending)
    try withdrawPending()
  }

  private func undoLink(_ pending: InstallationRecord, _ change: ProductChange) throws {
    if try workFolder.status(of: Name.link) != nil { try workFolder.remove(Name.link) }
    guard change.target == .version, try currentVersion(of: pending.productIdentifier) == pending.inUseName,
      let old = try settledRecord(of: pending.productIdentifier)?.installed,
      old.folderName.bytes != pending.inUseName
    else { return }
    try switchLink(of: pending.productIdentifier, to: old.folderName.bytes)
  }

  private func undoPlacement(_ pending: InstallationRecord, _ change: ProductChange) throws {
    let product = pending.productIdentifier
    if change.source == .nothing {
      let name = try removedName()
      guard let removed = try workFolder.status(of: name), removed.identity.inode == change.outgoing else {
        return
      }
      // If another item has the product's name, the pending record stays, and the next run completes the removal.
      return try workFolder.move(name, to: product.text.utf8, in: root)
    }
    guard change.source.isStaged, try hasTarget(change, pending) else { return }
    let hasOldFolder = try change.placement == .exchange && isExchanged(pending, change)
    try withTarget(change.target, of: pending) { (folder, name) throws(FileError) in
      try unplace(change, hasOldFolder, in: folder, name)
    }
    guard change.source == .previousVersion, try workFolder.status(of: Name.staging) != nil,
      let folder = try openFolder(Name.previous, of: product)
    else { return }
    try workFolder.move(Name.staging, to: pending.inUseName, in: folder)
  }

  /// Moves the new folder back to staging, and the old one back into place. `hasOldFolder` says whether an exchange has
  /// moved the old folder to staging.
  private func unplace(
    _ change: ProductChange, _ hasOldFolder: Bool, in folder: borrowing DirectoryHandle, _ name: [UInt8]
  ) throws(FileError) {
    let live = try folder.status(of: name)
    switch change.placement {
    case .exchange:
      guard hasOldFolder, try workFolder.status(of: Name.staging) != nil else { return }
      if live != nil {
        try workFolder.rename(Name.staging, to: name, in: folder, mode: .exchange)
      } else {
        try workFolder.move(Name.staging, to: name, in: folder)
      }
    case .move, .moveAside:
      let isDisplaced = try workFolder.status(of: Name.displaced) != nil
      let isMovedAside = change.placement == .moveAside && isDisplaced
      guard isMovedAside || change.placement == .move else { return }
      if live != nil, try workFolder.status(of: Name.staging) == nil {
        try folder.move(name, to: Name.staging, in: workFolder)
      }
      if isMovedAside { try workFolder.move(Name.displaced, to: name, in: folder) }
    }
  }
}
