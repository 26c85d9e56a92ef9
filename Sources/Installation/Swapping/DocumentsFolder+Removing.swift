import ContentPackage
import SafeFiles
import ZipArchive

/// The cleanup after a removal.
extension DocumentsFolder {
  /// Returns the name in `.iapkg` that the folder of a removed product gets. Without a pending record, the next run
  /// could not explain `displaced`, but deletes `trash`.
  func removedName() throws(FileError) -> String.UTF8View {
    try workFolder.status(of: Name.pending) == nil ? Name.trash : Name.displaced
  }

  /// Deletes a removed product and its data, except the notes on its store. Keeps modified and unmanaged files unless
  /// the removal is forced, because they may have changed between the comparison and the step.
  ///
  /// - Returns: The modified and unmanaged files that a forced removal deletes; nil if they are unknown.
  func forget(
    _ pending: InstallationRecord, _ change: ProductChange, _ old: InstallationRecord?, _ kept: KeptFolder,
    _ isForced: Bool
  ) throws -> LocatedPaths? {
    let product = pending.productIdentifier
    var deleted: LocatedPaths?
    if let old, isForced {
      // If this fails, the list that was made before the step is used.
      deleted = try? unmanagedFiles(of: old)
    } else if let old {
      try keepUnmanagedFiles(of: old, in: kept)
      try settlePrevious(change, old, pending, kept)
    } else if !isForced, try workFolder.status(of: Name.displaced) != nil {
      // Without a record, any of its files may be the user's.
      try keepItem(Array(Name.displaced), in: workFolder, as: Array(product.text.utf8), in: kept)
    }
    // The compared folder moves to `trash` before the record is deleted: the next run deletes `trash` without a
    // comparison.
    try clear(Name.trash, from: path(of: product))
    if try workFolder.status(of: Name.displaced) != nil {
      try workFolder.moveReadOnly(Name.displaced, to: Name.trash, in: workFolder)
      try synchronize(workFolder)
    }
    // Without the record, the next run knows that the product was removed. Without a pending record, another removal
    // completes this one, and needs the record.
    if try workFolder.status(of: Name.pending) != nil { try forgetRecord(of: product) }
    try clear(Name.trash, from: path(of: product))
    forgetIndex(of: product)
    try forgetFolders(of: product, forced: isForced)
    try forgetRecord(of: product)
    try withdrawPending()
    return deleted
  }

  private func forgetRecord(of product: ProductIdentifier) throws(FileError) {
    let name = product.text.utf8
    if try records.status(of: name) != nil { try records.remove(name) }
    try synchronize(records)
  }

  /// Deletes the folders of a removed product in `.iapkg`; unless `isForced`, not those with files of the user.
  private func forgetFolders(of product: ProductIdentifier, forced isForced: Bool) throws {
    let name = product.text.utf8
    // Without notes on stores, the notes on products of earlier versions are the only knowledge about the stores.
    let hasStores = try workFolder.status(of: Name.stores) != nil
    for folderName in [Name.previous, Name.kept, Name.downloads] + (hasStores ? [Name.origins] : [])
    where try workFolder.status(of: folderName) != nil {
      let folder = try workFolder.openFolder(folderName)
      if try folder.status(of: name) != nil, try isForced || !hasUserFiles(folderName, of: product) {
        try discard(Array(name), in: folder)
      }
      try synchronize(folder)
    }
  }

  /// Returns whether a folder of a removed product has files that `remove` does not delete.
  private func hasUserFiles(_ folderName: String.UTF8View, of product: ProductIdentifier) throws -> Bool {
    guard folderName.elementsEqual(Name.kept) || folderName.elementsEqual(Name.previous),
      let folder = try openFolder(folderName, of: product)
    else { return false }
    return try !files(in: folder).isEmpty
  }

  /// Moves the modified and unmanaged files of a removed product to the kept files.
  private func keepUnmanagedFiles(of old: InstallationRecord, in kept: KeptFolder) throws {
    let name = Array(try removedName())
    guard let status = try workFolder.status(of: name) else { return }
    let product = Array(old.productIdentifier.text.utf8)
    guard status.kind == .folder else { return try keepItem(name, in: workFolder, as: product, in: kept) }
    let subfolder = old.layout == .flat ? old.installed?.folderName : nil
    do {
      let paths = try unmanagedPaths(of: old, in: workFolder.openFolder(name))
      try keep(paths, of: workFolder.openFolder(name), under: subfolder, in: kept)
    } catch let error as FileError where error.isImmovable {
      // Files of another user and mount points may not be movable one by one.
      try keepItem(name, in: workFolder, as: product, in: kept)
    }
  }

  /// Returns the paths of the modified and unmanaged files of a removed product, as they were before the removal.
  private func unmanagedFiles(of old: InstallationRecord) throws -> LocatedPaths {
    let product = old.productIdentifier
    var files = LocatedPaths()
    let name = Array(try removedName())
    switch try workFolder.status(of: name)?.kind {
    case nil: break
    case .folder:
      let paths = try unmanagedPaths(of: old, in: workFolder.openFolder(name))
      files = LocatedPaths(paths, in: path(of: product))
    default: files = LocatedPaths([EntryPath(product.text)], in: root.path)
    }
    if old.layout == .flat {
      let previous = try userFilesInVersions(of: old, with: contentInspector.toleratingUnreadable())
      files = files + previous.modified + previous.unmanagedFiles
    }
    return try files + keptFiles(of: product, old)
  }

  /// Returns the sorted paths of the modified and unmanaged items in the folder of a removed product, compared by
  /// content.
  private func unmanagedPaths(
    of old: InstallationRecord, in folder: consuming DirectoryHandle
  ) throws -> [EntryPath] {
    guard let installed = old.installed else { return [] }
    let inspector = contentInspector.toleratingUnreadable()
    if old.layout == .flat {
      let found = try inspector.inspect(folder, against: installed, marked: old.isExcludedFromBackup)
      return (found.modified + found.extra).sorted()
    }
    let top = try inspectTop(of: old, installed, in: folder)
    var paths = top.modified + top.extra
    for version in old.versions {
      if let found = try inspect(version, in: folder, with: inspector) {
        paths += (found.modified + found.extra).beneath(version.folderName)
      } else if try folder.status(of: version.folderName.bytes) != nil {
        paths.append(version.folderName)  // an item of another kind
      }
    }
    return paths.sorted()
  }
}
