public import ContentPackage
import SafeFiles
import ZipArchive

extension InstalledProducts {
  /// The versions of a product before and after a change.
  public struct Change: Sendable {
    /// The product.
    public let productIdentifier: ProductIdentifier
    /// The version in use before the change.
    public let before: InstalledVersion?
    /// The version in use after the change, performed or rehearsed; nil if the product is removed.
    public internal(set) var after: InstalledVersion?
    /// The paths of files that iapkg did not install and keeps for the user to move or delete, safe to print.
    public internal(set) var kept = LocatedPaths()
    /// The paths of such files that the change deletes, safe to print. A folder counts as one path.
    public internal(set) var deleted = LocatedPaths()
  }

  /// Restores a previous version, and keeps the version in use as a previous one: two rollbacks cancel out.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - version: The version to restore; nil for the most recently used one.
  ///   - rehearsing: Whether to determine the result without changing anything.
  /// - Returns: The versions before and after.
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  @discardableResult
  public func rollBack(
    _ product: ProductIdentifier, to version: ContentVersion? = nil, rehearsing: Bool = false
  ) throws -> Change {
    try change(product, rehearsing: rehearsing) { folder, record in
      let target = try record.previousVersion(version)
      let inspection = try folder.inspect(previous: target, of: record, with: folder.quickInspector)
      guard inspection.isComplete else {
        throw InstallationError.previousDamaged(product, target.contentVersion, inspection)
      }
      let state = try folder.state(of: product, record: record)
      let others = (state.installed.map { [$0] } ?? []) + state.previous.filter { $0 != target }
      let after = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup, installed: target,
        previous: others)
      var change = Change(productIdentifier: product, before: record.installed, after: target)
      if rehearsing {
        change.kept = try folder.keptFiles(of: product) + state.strangers
      } else {
        let isFlat = record.layout == .flat
        try folder.apply(
          after, replacing: isFlat ? .product : .version, from: isFlat ? .previousVersion : .inPlace)
        change.kept = try folder.keptPaths(
          of: product, in: record.layout, extra: state.inspection?.extra ?? [])
      }
      return change
    }
  }

  /// Removes a product and its previous versions.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - force: Whether to delete files that iapkg did not install too.
  ///   - rehearsing: Whether to determine the result without changing anything.
  /// - Returns: The version before, and the deleted files that iapkg did not install.
  /// - Throws: The errors of `rollBack`.
  @discardableResult
  public func remove(
    _ product: ProductIdentifier, force: Bool = false, rehearsing: Bool = false
  ) throws -> Change {
    try change(product, rehearsing: rehearsing) { folder, record in
      // The items in an unreadable folder may be the user's.
      let state = try folder.state(of: product, record: record, strictly: true)
      let kept = try folder.keptFiles(of: product) + folder.strangersInPrevious(of: record)
      if !force { try refuseStrangers(of: product, state, kept, in: folder) }
      let nothing = InstallationRecord(
        product, layout: record.layout, isExcludedFromBackup: record.isExcludedFromBackup, installed: nil)
      if !rehearsing {
        try folder.apply(nothing, replacing: .product, from: .nothing)
      }
      return Change(
        productIdentifier: product, before: record.installed, after: nil, deleted: state.strangers + kept)
    }
  }

  private func refuseStrangers(
    of product: ProductIdentifier, _ state: ProductState, _ kept: LocatedPaths,
    in folder: borrowing DocumentsFolder
  ) throws {
    if let kind = state.kind, kind != .folder {
      throw InstallationError.foreign(path: state.path, found: "a \(kind.name)")
    }
    if state.installed != nil, let extra = state.inspection?.extra, !extra.isEmpty {
      throw InstallationError.unrecorded(path: state.path, extra)
    }
    if !kept.isEmpty { throw InstallationError.keptFiles(path: folder.workFolder.path, kept) }
  }

  private func change(
    _ product: ProductIdentifier, rehearsing: Bool,
    _ body: (borrowing DocumentsFolder, InstallationRecord) throws -> Change
  ) throws -> Change {
    let change = try DocumentsFolder.withLock(access, for: rehearsing ? .rehearsing : .changing) { folder in
      guard let record = try folder.record(of: product) else {
        throw InstallationError.notInstalled(product, path: access.path)
      }
      return try body(folder, record)
    }
    guard let change else { throw InstallationError.notInstalled(product, path: access.path) }
    return change
  }
}

extension InstallationRecord {
  /// Returns the previous version with this number, or for nil the most recently used one.
  fileprivate func previousVersion(_ version: ContentVersion?) throws(InstallationError) -> InstalledVersion {
    guard let last = previous.first else { throw .noPreviousVersion(productIdentifier) }
    guard let version else { return last }
    if let kept = previous.first(where: { $0.contentVersion == version }) { return kept }
    throw .versionNotKept(productIdentifier, version, kept: previous.map(\.contentVersion.text))
  }
}

extension DocumentsFolder {
  /// Returns the unmanaged files in the folders of previous versions, if these are outside the product's folder.
  fileprivate func strangersInPrevious(of record: InstallationRecord) throws -> LocatedPaths {
    guard record.layout == .flat, let folder = try openVersions(of: record) else { return LocatedPaths() }
    var found = LocatedPaths()
    for version in record.previous {
      let extra = try inspect(previous: version, of: record, with: quickInspector).extra
      let path = FileSystem.joined(folder.path, version.contentVersion.text)
      found = found + LocatedPaths(extra, in: path)
    }
    return found
  }
}
