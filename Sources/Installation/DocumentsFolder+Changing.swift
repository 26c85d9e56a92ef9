import ContentPackage
import SafeFiles
import SystemPackage
import ZipArchive

extension DocumentsFolder {
  /// Replaces or removes a product, or the version in use of one. At every instant it is what it was or what it is to be.
  ///
  /// The record goes before: it tells whoever finds it pending whether the step has been taken. Once this returns it
  /// has, and is on stable storage. What is left to do then can be done by the next run as well, so that an error
  /// there is only reported.
  ///
  /// - Parameters:
  ///   - record: what is known of the product afterwards; without a version in use the product is removed.
  ///   - target: what is replaced.
  ///   - source: where the content comes from; what was unpacked is on stable storage.
  /// - Throws: `FileError`, `InstallationError`; the product is then as it was. What was staged is left.
  func apply(
    _ record: InstallationRecord, replacing target: ProductChange.Target, from source: ProductChange.Source
  ) throws {
    var pending = record
    pending.change = try change(to: record, replacing: target, from: source)
    do {
      do {
        try announce(pending)
      } catch let error as FileError where error.isShortOfRoom && record.installed == nil {
        // What frees room needs none: without a pending record, a run that is interrupted leaves a product that is
        // missing, which another removal completes.
        try withdrawPending()
      }
      try takeStep(&pending)
      try synchronizeStep(pending)
    } catch {
      // Where that fails too, the pending record stays, and the next run sees by it what to do.
      try? undo(pending)
      throw error
    }
    do { try settle(pending) } catch { access.report(.postponed(error)) }
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
    // A version that is not in use may be missing for an instant, and so need not be exchanged.
    let current = try currentVersion(of: record.productIdentifier)
    let isInUse = target == .product || current == record.inUseName
    return ProductChange(
      target: target, source: source,
      placement: outgoing == nil ? .move : isInUse ? .exchange : .moveAside, incoming: incoming,
      outgoing: outgoing, keptNumber: try nextKeptNumber(of: record.productIdentifier))
  }

  /// Runs `body` with the folder in which a change takes place and the name there of what is replaced.
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

  /// The step itself. An error names the product's folder, which is what stands in the way if anything does.
  private func takeStep(_ pending: inout InstallationRecord) throws {
    guard let change = pending.change else { return }
    let product = pending.productIdentifier
    do throws(FileError) {
      switch change.source {
      case .nothing:
        if change.outgoing != nil { try root.move(product.text.utf8, to: Name.trash, in: workFolder) }
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

  /// Keeps what somebody has put in the place of the link `current`.
  private func keepInPlaceOfLink(of product: ProductIdentifier, _ change: ProductChange) throws(FileError) {
    let folder = try root.openFolder(product.text.utf8)
    let name = InstallationLayout.current.bytes
    guard let kind = try folder.status(of: name)?.kind, kind != .link else { return }
    try keepWhole(name, in: folder, as: name, in: KeptFolder(product: product, number: change.keptNumber))
  }

  /// Moves a previous version of the flat layout to staging, and marks it for backups if the product is marked.
  private func stagePrevious(_ pending: InstallationRecord) throws(FileError) {
    guard let folder = try openFolder(Name.previous, of: pending.productIdentifier) else { return }
    if pending.isExcludedFromBackup { try BackupMark.mark(folder.openFolder(pending.inUseName)) }
    try folder.move(pending.inUseName, to: Name.staging, in: workFolder)
  }

  /// Brings what is in staging to its place.
  private func moveIntoPlace(_ pending: inout InstallationRecord) throws {
    guard let change = pending.change else { return }
    if change.placement == .exchange, try !exchangeStaging(with: change.target, of: pending) {
      // What tells whether the step has been taken is another thing here.
      pending.change?.placement = .moveAside
      try announce(pending)
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

  /// - Returns: false if the file system cannot do it.
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

  /// Makes `current` lead to another version, in one step.
  func switchLink(of product: ProductIdentifier, to version: [UInt8]) throws(FileError) {
    if try workFolder.status(of: Name.link) != nil { try workFolder.remove(Name.link) }
    try workFolder.makeLink(Name.link, target: version)
    let folder = try root.openFolder(product.text.utf8)
    try workFolder.rename(Name.link, to: InstallationLayout.current.bytes, in: folder, mode: .replace)
  }

  /// The name of the version that `current` leads to; nil if there is no such link.
  func currentVersion(of product: ProductIdentifier) throws(FileError) -> [UInt8]? {
    guard try root.status(of: product.text.utf8)?.kind == .folder else { return nil }
    let folder = try root.openFolder(product.text.utf8)
    guard try folder.status(of: InstallationLayout.current.bytes)?.kind == .link else { return nil }
    return try folder.readLink(InstallationLayout.current.bytes)
  }

  func synchronizeStep(_ pending: InstallationRecord) throws(FileError) {
    guard access.isDurable, let change = pending.change else { return }
    try withTarget(change.target, of: pending) { (folder, _) throws(FileError) in try folder.synchronize() }
    if let folder = try openFolder(Name.previous, of: pending.productIdentifier) { try folder.synchronize() }
    try workFolder.synchronize()
  }

  // MARK: What has become of it

  /// Whether the step to a pending record has been taken.
  func hasTakenPlace(_ pending: InstallationRecord) throws -> Bool {
    guard let change = pending.change else { return true }
    let product = pending.productIdentifier
    switch change.source {
    case .nothing: return try root.status(of: product.text.utf8) == nil
    case .inPlace: return try currentVersion(of: product) == pending.inUseName
    case .package, .previousVersion:
      guard try isPlaced(pending, change) else { return false }
      return try change.target == .product || currentVersion(of: product) == pending.inUseName
    }
  }

  /// Whether what was staged is in its place.
  private func isPlaced(_ pending: InstallationRecord, _ change: ProductChange) throws -> Bool {
    let product = pending.productIdentifier.text.utf8
    guard try change.target == .product || root.status(of: product)?.kind == .folder,
      try !isStillPrevious(pending, change)
    else { return false }
    let live = try withTarget(change.target, of: pending) { (folder, name) throws(FileError) in
      try folder.status(of: name)?.identity.inode
    }
    guard let live else { return false }
    switch change.placement {
    case .move, .moveAside: return try workFolder.status(of: Name.staging) == nil
    case .exchange:
      if live == change.incoming { return true }
      if live == change.outgoing { return false }
      // Neither: all of it was copied from elsewhere in this very state, and only the content can tell.
      let inspection = try inspect(
        pending, with: inspector(verifies: true, context: access.context.with(jobs: 1)))
      return inspection.isComplete
    }
  }

  /// Whether the previous version that is to be put back has not been moved yet.
  private func isStillPrevious(
    _ pending: InstallationRecord, _ change: ProductChange
  ) throws(FileError) -> Bool {
    guard change.source == .previousVersion,
      let folder = try openFolder(Name.previous, of: pending.productIdentifier)
    else { return false }
    return try folder.status(of: pending.inUseName) != nil
  }
}

extension ProductChange.Source {
  /// Whether it passes through staging.
  var isStaged: Bool { self == .package || self == .previousVersion }
}

extension InstallationRecord {
  /// The name of the folder of the version in use, where versions have folders.
  var inUseName: [UInt8] { installed?.folderName.bytes ?? [] }
}

extension FileError {
  /// Whether there is no room for more on the disk, or none for this user.
  fileprivate var isShortOfRoom: Bool { errno == .noSpace || errno == .diskQuotaExceeded }

  /// The same about a folder that cannot be moved, in words where the system's own say little.
  fileprivate func moving(_ path: String) -> FileError {
    FileError(
      .rename, path, errno,
      detail: errno == .improperLink
        ? "it lies on another file system than .iapkg, or in a lower layer of an overlay file system, and folders cannot "
          + "be moved from there; copy it, delete it, and give the copy its name" : detail)
  }
}
