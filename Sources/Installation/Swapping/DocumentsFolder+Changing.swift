import ContentPackage
import SafeFiles
import Support
import SystemPackage
import ZipArchive

extension DocumentsFolder {
  /// Replaces or removes a product, or its version in use. At every instant the product is the old or the new version.
  ///
  /// The pending record is written first, so that the next run can tell whether an interrupted step took effect. When
  /// the function returns, the step is on stable storage. The next run can also do the remaining cleanup, so errors
  /// there are only reported.
  ///
  /// - Parameters:
  ///   - record: The record after the change; without a version in use the product is removed.
  ///   - target: The folder to replace.
  ///   - source: The source of the content; unpacked content must be on stable storage.
  ///   - isForced: Whether a removal also deletes modified and unmanaged files.
  /// - Returns: The modified and unmanaged files that a forced removal deletes; nil if they are unknown.
  /// - Throws: `FileError`, `InstallationError`; the product is then unchanged. Staging is kept.
  @discardableResult
  func apply(
    _ record: InstallationRecord, replacing target: ProductChange.Target, from source: ProductChange.Source,
    forced isForced: Bool = false
  ) throws -> LocatedPaths? {
    var pending = record
    pending.change = try change(to: record, replacing: target, from: source)
    do {
      do {
        try writePending(pending)
      } catch let error as FileError where error.isOutOfSpace && record.installed == nil {
        // A removal frees space and needs none: if a run without a pending record is interrupted, the product is
        // missing, and another removal completes it.
        try withdrawPending()
      }
      try performStep(&pending)
      try synchronizeStep(pending)
    } catch {
      // If undoing fails too, the pending record stays, and the next run recovers from it.
      try? undo(pending)
      throw error
    }
    // From here on, a signal waits until the result is reported.
    PendingCleanup.begin()
    do { return try settle(pending, forced: isForced) } catch {
      access.report(.postponed(error))
      return nil
    }
  }

  private func change(
    to record: InstallationRecord, replacing target: ProductChange.Target, from source: ProductChange.Source
  ) throws(FileError) -> ProductChange {
    let outgoing = try withTarget(target, of: record) { (folder, name) throws(FileError) in
      try folder.status(of: name)?.identity.inode
    }
    var incoming: UInt64?
    switch source {
    case .package: incoming = try workFolder.status(of: Name.staging)?.identity.inode
    case .previousVersion:
      let folder = try openFolder(Name.previous, of: record.productIdentifier)
      incoming = try folder?.status(of: record.inUseName)?.identity.inode
    case .inPlace, .nothing: break
    }
    // A version that is not in use may be missing for an instant, so it need not be exchanged.
    let current = try currentVersion(of: record.productIdentifier)
    let isInUse = target == .product || current == record.inUseName
    return ProductChange(
      target: target, source: source,
      placement: outgoing == nil ? .move : isInUse ? .exchange : .moveAside, incoming: incoming,
      outgoing: outgoing, keptNumber: try nextKeptNumber(of: record.productIdentifier))
  }

  /// Runs `body` with the folder in which the change happens and the name of the replaced item in it.
  func withTarget<Value>(
    _ target: ProductChange.Target, of record: InstallationRecord,
    _ body: (borrowing DirectoryHandle, [UInt8]) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let product = Array(record.productIdentifier.text.utf8)
    switch target {
    case .product: return try body(root, product)
    case .version: return try body(root.openFolder(product), record.inUseName)
    }
  }

  // MARK: The step

  /// Performs the step. An error names the product's folder, the only likely obstacle.
  private func performStep(_ pending: inout InstallationRecord) throws {
    guard let change = pending.change else { return }
    let product = pending.productIdentifier
    do throws(FileError) {
      switch change.source {
      case .nothing:
        if change.outgoing != nil { try root.move(product.text.utf8, to: removedName(), in: workFolder) }
      case .previousVersion: try stagePrevious(pending)
      case .package, .inPlace: break
      }
    } catch {
      throw error.moving(path(of: product))
    }
    if change.source.isStaged { try moveIntoPlace(&pending) }
    guard change.target == .version else { return }
    try keepInPlaceOfLink(of: product, change)
    try switchLink(of: product, to: pending.inUseName)
  }

  /// Keeps an item that iapkg did not create and that has the name of the link `current`.
  private func keepInPlaceOfLink(of product: ProductIdentifier, _ change: ProductChange) throws(FileError) {
    let folder = try root.openFolder(product.text.utf8)
    let name = InstallationLayout.current.bytes
    guard let kind = try folder.status(of: name)?.kind, kind != .link else { return }
    try keepItem(name, in: folder, as: name, in: KeptFolder(product: product, number: change.keptNumber))
  }

  /// Moves a previous version of the flat layout to staging, and marks it if the product is excluded from backups.
  private func stagePrevious(_ pending: InstallationRecord) throws(FileError) {
    guard let folder = try openFolder(Name.previous, of: pending.productIdentifier) else { return }
    if pending.isExcludedFromBackup { try BackupMark.mark(folder.openFolder(pending.inUseName)) }
    try folder.move(pending.inUseName, to: Name.staging, in: workFolder)
  }

  /// Moves staging into place.
  private func moveIntoPlace(_ pending: inout InstallationRecord) throws {
    guard let change = pending.change else { return }
    if change.placement == .exchange, try !exchangeStaging(with: change.target, of: pending) {
      // The placement decides how recovery detects a completed step, so the record must be rewritten.
      pending.change?.placement = .moveAside
      try writePending(pending)
      access.report(.notExchanged(product: pending.productIdentifier.text))
    }
    let isMovedAside = pending.change?.placement == .moveAside
    guard isMovedAside || change.placement == .move else { return }
    try withTarget(change.target, of: pending) { (folder, name) throws(FileError) in
      do throws(FileError) {
        if isMovedAside { try folder.move(name, to: Name.displaced, in: workFolder) }
        try workFolder.move(Name.staging, to: name, in: folder)
      } catch {
        throw error.moving(folder.childPath(name))
      }
    }
  }

  /// Exchanges staging with the target; returns false if the file system cannot exchange folders.
  private func exchangeStaging(
    with target: ProductChange.Target, of pending: InstallationRecord
  ) throws(FileError) -> Bool {
    try withTarget(target, of: pending) { (folder, name) throws(FileError) in
      do throws(FileError) {
        try workFolder.rename(Name.staging, to: name, in: folder, mode: .exchange)
        return true
      } catch {
        if error.isUnsupported { return false }
        throw error.moving(folder.childPath(name))
      }
    }
  }

  /// Points `current` to another version, atomically.
  func switchLink(of product: ProductIdentifier, to version: [UInt8]) throws(FileError) {
    if try workFolder.status(of: Name.link) != nil { try workFolder.remove(Name.link) }
    try workFolder.makeLink(Name.link, target: version)
    let folder = try root.openFolder(product.text.utf8)
    try workFolder.rename(Name.link, to: InstallationLayout.current.bytes, in: folder, mode: .replace)
  }

  /// Returns the name of the version that `current` points to; nil if there is no such link.
  func currentVersion(of product: ProductIdentifier) throws(FileError) -> [UInt8]? {
    guard try root.status(of: product.text.utf8)?.kind == .folder else { return nil }
    let folder = try root.openFolder(product.text.utf8)
    guard try folder.status(of: InstallationLayout.current.bytes)?.kind == .link else { return nil }
    return try folder.readLink(InstallationLayout.current.bytes)
  }

  func synchronizeStep(_ pending: InstallationRecord) throws(FileError) {
    guard access.isDurable, let change = pending.change else { return }
    if try hasTarget(change, pending) {
      try withTarget(change.target, of: pending) { (folder, _) throws(FileError) in try folder.synchronize() }
    }
    if let folder = try openFolder(Name.previous, of: pending.productIdentifier) { try folder.synchronize() }
    try workFolder.synchronize()
  }
}

extension ProductChange.Source {
  /// Whether the content passes through staging.
  var isStaged: Bool { self == .package || self == .previousVersion }
}

extension InstallationRecord {
  /// The folder name of the version in use, for layouts with version folders.
  var inUseName: [UInt8] { installed?.folderName.bytes ?? [] }
}

extension FileError {
  /// Whether the disk is full or the user's quota is exhausted.
  fileprivate var isOutOfSpace: Bool { errno == .noSpace || errno == .diskQuotaExceeded }

  /// Returns the same error for a folder that cannot be moved, with a clearer detail for `.improperLink`.
  fileprivate func moving(_ path: String) -> FileError {
    FileError(
      .rename, path, errno,
      detail: errno == .improperLink
        ? "it is on another file system than .iapkg, or in a lower layer of an overlay file system, and cannot be moved; "
          + "replace it with a copy of itself" : detail)
  }
}
