public import ContentPackage
import SafeFiles
public import ZipArchive

extension InstalledProducts {
  /// The versions of a product before and after a change.
  public struct Change: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version in use before the change; nil if an interrupted removal was completed.
    public let before: InstalledVersion?
    /// The version in use after the change, performed or planned; nil if the product is removed.
    public internal(set) var after: InstalledVersion?
    /// The layout of the product's folder; nil if an interrupted removal was completed.
    public let layout: InstallationLayout?
    /// The items in the product's folder whose kind, size or link target differs from the record and that a rollback
    /// keeps in a previous version. A file in place of the link `current` is among `kept`.
    public internal(set) var modified: [EntryPath] = []
    /// The paths of files that iapkg did not install and keeps for the user to move or delete, safe to print.
    public internal(set) var kept = LocatedPaths()
    /// The paths of the modified files, and of the files that iapkg did not install, that the change deletes, safe to
    /// print. A folder counts as one path. Files that this user may not delete are not among them: see
    /// `DocumentsNotice.undeleted`.
    public internal(set) var deleted = LocatedPaths()
  }

  /// Restores a previous version, and keeps the version in use as a previous one: two rollbacks cancel out, unless
  /// files of the version in use are missing or modified.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - version: The version to restore; nil for the most recently used one.
  ///   - isDryRun: Whether to determine the result without changing anything.
  /// - Returns: The versions before and after.
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  @discardableResult
  public func rollBack(
    _ product: ProductIdentifier, to version: ContentVersion? = nil, dryRun isDryRun: Bool = false
  ) throws -> Change {
    try change(product, dryRun: isDryRun) { folder, record in
      let target = try record.previousVersion(version)
      let inspection = try folder.inspect(previous: target, of: record, with: folder.quickInspector)
      guard inspection.isComplete else {
        let versions = try folder.openVersions(of: record)
        let folderPath = versions?.childPath(target.folderName.bytes) ?? folder.path(of: product)
        throw InstallationError.previousDamaged(
          product, target.contentVersion, inspection,
          LocatedPaths(inspection.missing + inspection.modified, in: folderPath))
      }
      let state = try folder.state(of: product, record: record)
      let others = (state.installed.map { [$0] } ?? []) + state.previous.filter { $0 != target }
      let after = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup, installed: target,
        previous: others)
      var change = Change(
        productIdentifier: product, before: record.installed, after: target, layout: record.layout,
        modified: state.inspection?.modified ?? [])
      if isDryRun {
        change.kept = try folder.keptFiles(of: product, record) + state.keptUnmanagedFiles(in: folder.root)
      } else {
        let isFlat = record.layout == .flat
        try folder.apply(
          after, replacing: isFlat ? .product : .version, from: isFlat ? .previousVersion : .inPlace)
        change.kept = try folder.keptPaths(of: after, extra: state.inspection?.extra ?? [])
      }
      return change
    }
  }

  /// Removes a product and its previous versions. The content of each file is compared with the record, so that no
  /// edit is lost. A file that appears or changes during the removal is kept. If opening the folder has completed an
  /// interrupted removal of the product, there is nothing else to do.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - force: Whether to delete modified files, and files that iapkg did not install, too.
  ///   - isDryRun: Whether to determine the result without changing anything.
  /// - Returns: The version before, nil if an interrupted removal was completed, and the deleted or kept files that are
  ///   modified or that iapkg did not install.
  /// - Throws: The errors of `rollBack`.
  @discardableResult
  public func remove(
    _ product: ProductIdentifier, force: Bool = false, dryRun isDryRun: Bool = false
  ) throws -> Change {
    try change(product, dryRun: isDryRun, mayBeRemoved: true) { folder, record in
      // The items in an unreadable folder may be the user's.
      let inspector = folder.contentInspector.toleratingUnreadable(force)
      let state = try folder.state(of: product, record: record, with: inspector)
      let previous = try folder.userFilesInVersions(of: record, with: inspector)
      let modified = LocatedPaths(state.inspection?.modified ?? [], in: state.path) + previous.modified
      let kept = try folder.keptFiles(of: product, record) + previous.unmanagedFiles
      if !force { try refuseLoss(of: product, state, modified, kept, in: folder) }
      let nothing = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup, installed: nil)
      var change = Change(
        productIdentifier: product, before: record.installed, after: nil, layout: record.layout,
        deleted: state.unmanagedFiles + modified + kept)
      if !isDryRun {
        let deleted = try folder.apply(nothing, replacing: .product, from: .nothing, forced: force)
        change.deleted = folder.deleted(deleted ?? change.deleted)
        if !force { change.kept = try folder.keptFiles(of: product, record) }
      }
      return change
    }
  }

  private func refuseLoss(
    of product: ProductIdentifier, _ state: ProductState, _ modified: LocatedPaths, _ kept: LocatedPaths,
    in folder: borrowing DocumentsFolder
  ) throws {
    if let kind = state.kind, kind != .folder {
      throw InstallationError.unmanaged(path: state.path, found: "a \(kind.name)")
    }
    if state.installed != nil, let extra = state.inspection?.extra, !extra.isEmpty {
      throw InstallationError.unrecorded(path: state.path, extra)
    }
    if !modified.isEmpty { throw InstallationError.modifiedFiles(product, modified) }
    if !kept.isEmpty { throw InstallationError.keptFiles(path: folder.workFolder.path, kept) }
  }

  /// Changes an installed product. With `mayBeRemoved`, completing its interrupted removal counts as the change.
  private func change(
    _ product: ProductIdentifier, dryRun isDryRun: Bool, mayBeRemoved: Bool = false,
    _ body: (borrowing DocumentsFolder, InstallationRecord) throws -> Change
  ) throws -> Change {
    let change = try DocumentsFolder.withLock(access, for: isDryRun ? .dryRun : .changing) { folder in
      guard let record = try folder.record(of: product) else {
        guard mayBeRemoved, folder.removedProduct == product else {
          throw InstallationError.notInstalled(product, path: access.path)
        }
        return Change(
          productIdentifier: product, before: nil, after: nil, layout: nil,
          kept: try folder.keptFiles(of: product, nil))
      }
      return try body(folder, record)
    }
    guard let change else { throw InstallationError.notInstalled(product, path: access.path) }
    return change
  }
}

extension InstallationRecord {
  /// Returns the previous version with this number; for nil, the most recently used previous version.
  fileprivate func previousVersion(_ version: ContentVersion?) throws(InstallationError) -> InstalledVersion {
    guard let last = previous.first else { throw .noPreviousVersion(productIdentifier) }
    guard let version else { return last }
    if let kept = previous.first(where: { $0.contentVersion == version }) { return kept }
    throw .versionNotKept(
      productIdentifier, version, kept: previous.map(\.contentVersion.text),
      installed: installed?.contentVersion)
  }
}

extension DocumentsFolder {
  /// Returns the modified files of previous versions, and the unmanaged files in their folders, if those folders are
  /// outside the product's folder. An item of another kind with the name of a version counts as modified.
  func userFilesInVersions(
    of record: InstallationRecord, with inspector: TreeInspector
  ) throws -> (modified: LocatedPaths, unmanagedFiles: LocatedPaths) {
    var (modified, unmanagedFiles) = (LocatedPaths(), LocatedPaths())
    guard let folder = try openVersions(of: record) else { return (modified, unmanagedFiles) }
    let isApart = record.layout == .flat
    for version in isApart ? record.previous : record.versions {
      let name = version.folderName
      guard let kind = try folder.status(of: name.bytes)?.kind else { continue }
      guard kind == .folder else {
        modified = modified + LocatedPaths([name], in: folder.path)
        continue
      }
      guard version != record.installed else { continue }
      let inspection = try inspect(previous: version, of: record, with: inspector)
      let path = folder.childPath(name.bytes)
      modified = modified + LocatedPaths(inspection.modified, in: path)
      guard isApart else { continue }
      let files = inspection.extra.filter { folder.hasFile(at: name.appending($0.bytes)) }
      unmanagedFiles = unmanagedFiles + LocatedPaths(files, in: path)
    }
    return (modified, unmanagedFiles)
  }
}
