import ContentPackage
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// The cleanup after a step: the replaced version becomes a previous version or is deleted, and the record becomes
/// final. Files that iapkg did not install are kept. The next run can resume the cleanup at any point.
extension DocumentsFolder {
  /// Does the cleanup after the step of a pending record.
  ///
  /// - Parameters:
  ///   - pending: The pending record.
  ///   - isForced: Whether a removal deletes modified and unmanaged files. The next run never does, because files may
  ///     have appeared since.
  /// - Returns: The modified and unmanaged files that a forced removal deletes; nil if they are unknown.
  /// - Throws: `FileError`, `SourceError`, `Interruption`.
  @discardableResult
  func settle(_ pending: InstallationRecord, forced isForced: Bool = false) throws -> LocatedPaths? {
    guard let change = pending.change else { return nil }
    let product = pending.productIdentifier
    let old = try settledRecord(of: product)
    let kept = KeptFolder(product: product, number: change.keptNumber)
    if let old { try disposeOutdated(of: old, in: kept) }
    guard pending.installed != nil else { return try forget(pending, change, old, kept, isForced) }
    try settleOutgoing(change, old, pending, kept)
    try settlePrevious(change, old, pending, kept)
    if change.target == .version, pending.isExcludedFromBackup, try hasTarget(change, pending) {
      try BackupMark.mark(root.openFolder(product.text.utf8))
    }
    try synchronizeStep(pending)
    try workFolder.rename(Name.pending, to: product.text.utf8, in: records, mode: .replace)
    try synchronize(records)
    try synchronize(workFolder)
    try clear(Name.trash)
    return nil
  }

  /// Keeps, moves or deletes the folder that the step replaced.
  private func settleOutgoing(
    _ change: ProductChange, _ old: InstallationRecord?, _ pending: InstallationRecord, _ kept: KeptFolder
  ) throws {
    let oldFolderName =
      switch change.placement {
      case .exchange: Name.staging
      case .moveAside: Name.displaced
      case .move: nil as String.UTF8View?
      }
    guard let oldFolderName, change.source.isStaged, let status = try workFolder.status(of: oldFolderName)
    else { return }
    let name = Array(oldFolderName)
    guard let old, status.kind == .folder else {
      let isEmpty = try status.kind == .folder && workFolder.openFolder(name).isEmpty()
      if isEmpty { return try workFolder.removeFolder(name) }
      return try keepItem(name, in: workFolder, as: Array(pending.productIdentifier.text.utf8), in: kept)
    }
    switch (change.target, old.layout) {
    case (.version, _):
      let version = old.versions.first { $0.folderName.bytes == pending.inUseName }
      guard let version else { return try keepItem(name, in: workFolder, as: pending.inUseName, in: kept) }
      try dispose(name, in: workFolder, of: version, marked: false, in: kept)
    case (.product, .flat): try settleFlatFolder(name, of: old, pending, kept)
    case (.product, .versioned): try settleVersionedFolder(name, of: old, pending, kept)
    }
  }

  /// Turns the replaced folder of the flat layout into a previous version.
  private func settleFlatFolder(
    _ name: [UInt8], of old: InstallationRecord, _ pending: InstallationRecord, _ kept: KeptFolder
  ) throws {
    guard let version = old.installed else { return }
    let isMarked = old.isExcludedFromBackup
    guard pending.hasPrevious(version) else {
      return try dispose(name, in: workFolder, of: version, marked: isMarked, in: kept)
    }
    let folder = try workFolder.openFolder(name)
    let inspection = try quickInspector.toleratingUnreadable().inspect(
      workFolder.openFolder(name), against: version, marked: isMarked)
    do throws(FileError) {
      try keep(inspection.extra, of: folder, under: version.folderName, in: kept)
    } catch {
      // Files of another user and mount points may not be movable one by one; they stay in the previous version.
      guard error.isImmovable else { throw error }
      access.report(
        .notKept(product: pending.productIdentifier.text, version: version.contentVersion.text, error))
    }
    if pending.layout == .versioned, isMarked, try !version.items.contains(BackupMark.path),
      try BackupMark.isFile && BackupMark.isIn(folder)
    {
      try folder.remove(BackupMark.path.bytes)  // the product's folder has the mark
    }
    try adopt(name, in: workFolder, as: version, of: pending, kept)
  }

  /// Moves the kept versions out of a replaced folder of the versioned layout, and deletes the folder.
  private func settleVersionedFolder(
    _ name: [UInt8], of old: InstallationRecord, _ pending: InstallationRecord, _ kept: KeptFolder
  ) throws {
    let folder = try workFolder.openFolder(name)
    for version in old.versions {
      if pending.hasPrevious(version) {
        try adopt(version.folderName.bytes, in: folder, as: version, of: pending, kept)
      } else {
        try dispose(version.folderName.bytes, in: folder, of: version, marked: false, in: kept)
      }
    }
    let top = try old.installed.map { try inspectTop(of: old, $0, in: folder) } ?? ProductInspection()
    let ours = Set([InstallationLayout.current, BackupMark.path]).subtracting(top.modified + top.extra)
    let others = try folder.list().map { EntryPath(bytes: $0) }.filter { !ours.contains($0) }
    do throws(FileError) {
      try keep(others, of: folder, under: nil, in: kept)
    } catch {
      guard error.isImmovable else { throw error }
      return try keepItem(name, in: workFolder, as: name, in: kept)
    }
    try discard(name, in: workFolder)
  }

  /// Deletes previous versions that are no longer kept, and moves the others if the layout has changed.
  func settlePrevious(
    _ change: ProductChange, _ old: InstallationRecord?, _ pending: InstallationRecord, _ kept: KeptFolder
  ) throws {
    guard let old else { return }
    let isVersioned = old.layout == .versioned
    guard !isVersioned || change.target == .version, let folder = try openVersions(of: old) else { return }
    for version in isVersioned ? old.versions : old.previous {
      let name = version.folderName.bytes
      if isVersioned, name == pending.inUseName { continue }
      if !pending.hasPrevious(version) {
        try dispose(name, in: folder, of: version, marked: old.isExcludedFromBackup, in: kept)
      } else if pending.layout != old.layout {
        try adopt(name, in: folder, as: version, of: pending, kept)
      }
    }
    guard try !isVersioned && folder.isEmpty() else { return }
    do throws(FileError) {
      try workFolder.openFolder(Name.previous).removeFolder(old.productIdentifier.text.utf8)
    } catch {
      guard error.isMountPoint else { throw error }
    }
  }

  /// Moves the folder of a version, if it exists, to the folder of previous versions.
  private func adopt(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, as version: InstalledVersion,
    of pending: InstallationRecord, _ kept: KeptFolder
  ) throws {
    guard try folder.status(of: name) != nil else { return }
    let product = pending.productIdentifier
    let versionsFolder =
      switch pending.layout {
      case .flat: try makeFolder(Name.previous, of: product)
      case .versioned: try root.openFolder(product.text.utf8)
      }
    let newName = version.folderName.bytes
    // An existing folder of that name is of unknown origin.
    if try versionsFolder.status(of: newName) != nil {
      try keepItem(newName, in: versionsFolder, as: newName, in: kept)
    }
    do throws(FileError) {
      try folder.moveReadOnly(name, to: newName, in: versionsFolder)
    } catch {
      guard error.isMountPoint else { throw error }
      return access.report(.undeleted(path: folder.childPath(name), error))
    }
    try synchronize(versionsFolder)
  }

  /// Deletes the folder of a version, if it exists, but keeps unrecorded and modified files, compared by content. Where
  /// possible, the folder is moved aside first, so that no file in it changes between the comparison and the deletion.
  private func dispose(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, of version: InstalledVersion,
    marked isMarked: Bool, in kept: KeptFolder
  ) throws {
    guard let status = try folder.status(of: name) else { return }
    guard status.kind == .folder else {
      return try keepItem(name, in: folder, as: version.folderName.bytes, in: kept)
    }
    let outdated = Self.outdatedName(of: version)
    do throws(FileError) {
      try folder.moveReadOnly(name, to: outdated, in: workFolder)
    } catch {
      guard error.isImmovable else { throw error }
      return try deleteUnmodified(name, in: folder, of: version, marked: isMarked, in: kept)
    }
    try deleteUnmodified(outdated, in: workFolder, of: version, marked: isMarked, in: kept)
  }

  /// Completes `dispose` after an interruption.
  private func disposeOutdated(of old: InstallationRecord, in kept: KeptFolder) throws {
    for version in old.versions {
      let name = Self.outdatedName(of: version)
      guard let status = try workFolder.status(of: name) else { continue }
      guard status.kind == .folder else {
        try keepItem(name, in: workFolder, as: name, in: kept)
        continue
      }
      let isMarked = (try? BackupMark.isIn(workFolder.openFolder(name))) ?? false
      try deleteUnmodified(name, in: workFolder, of: version, marked: isMarked, in: kept)
    }
  }

  /// Returns the name in `.iapkg` of the folder of a version that is compared before its deletion.
  private static func outdatedName(of version: InstalledVersion) -> [UInt8] {
    Array("\(Name.outdated)-\(version.contentVersion.text)".utf8)
  }

  private func deleteUnmodified(
    _ name: [UInt8], in folder: borrowing DirectoryHandle, of version: InstalledVersion,
    marked isMarked: Bool, in kept: KeptFolder
  ) throws {
    let inspector = TreeInspector(
      verifies: true, comparesPermissions: false, toleratesUnreadable: true,
      context: access.context.with(jobs: 1))
    do {
      let content = try folder.openFolder(name)
      let inspection = try inspector.inspect(folder.openFolder(name), against: version, marked: isMarked)
      try keep(
        (inspection.extra + inspection.modified).sorted(), of: content, under: version.folderName, in: kept)
    } catch let error as FileError where error.isImmovable {
      // A folder may be unreadable, and files of another user and mount points may not be movable one by one.
      do throws(FileError) {
        return try keepItem(name, in: folder, as: version.folderName.bytes, in: kept)
      } catch {
        guard error.isMountPoint else { throw error }
        return access.report(.undeleted(path: folder.childPath(name), error))
      }
    }
    try discard(name, in: folder)
  }

  /// Deletes the item with the name. Where possible, the item is moved to `trash` first, so that it is never visible
  /// half deleted.
  func discard(_ name: [UInt8], in folder: borrowing DirectoryHandle) throws {
    try clear(Name.trash)
    do throws(FileError) {
      try folder.moveReadOnly(name, to: Name.trash, in: workFolder)
    } catch {
      if error.isMountPoint { return access.report(.undeleted(path: folder.childPath(name), error)) }
      guard error.errno == .improperLink else { throw error }
      return try removeTreeIfAny(name, in: folder)  // items in the lower layer of an overlay cannot be moved
    }
    try clear(Name.trash, from: folder.childPath(name))
  }
}

extension InstallationRecord {
  func hasPrevious(_ version: InstalledVersion) -> Bool {
    previous.contains { $0.contentVersion.text == version.contentVersion.text }
  }
}
