import ContentPackage
import SafeFiles
import Support
import ZipArchive

extension DocumentsFolder {
  /// Compares a product's folder with its record. Without the folder, every item is missing.
  ///
  /// In the versioned layout the folder also contains previous versions: their unrecorded items count as extra, but
  /// only the version in use can have missing or modified items.
  func inspect(_ record: InstallationRecord, with inspector: TreeInspector) throws -> ProductInspection {
    guard let installed = record.installed else { return ProductInspection() }
    let name = record.productIdentifier.text.utf8
    guard try root.status(of: name)?.kind == .folder else {
      return ProductInspection(missing: try record.folderItems().paths())
    }
    let folder = try root.openFolder(name)
    switch record.layout {
    case .flat:
      return try inspector.inspect(folder, against: installed, marked: record.isExcludedFromBackup)
    case .versioned: return try inspectVersions(of: record, installed, in: folder, with: inspector)
    }
  }

  /// Compares a folder of the versioned layout with its record.
  func inspectVersions(
    of record: InstallationRecord, _ installed: InstalledVersion, in folder: borrowing DirectoryHandle,
    with inspector: TreeInspector
  ) throws -> ProductInspection {
    var result = try inspectTop(of: record, installed, in: folder)
    for version in record.versions {
      guard let found = try inspect(version, in: folder, with: inspector) else {
        if version == installed {
          result.missing.append(version.folderName)
          result.missing += try version.items.paths(beneath: version.folderName)
        }
        continue
      }
      let inspection = found.beneath(version.folderName)
      result.extra += inspection.extra
      guard version == installed else { continue }
      result.missing += inspection.missing
      result.modified += inspection.modified
    }
    return ProductInspection(
      missing: result.missing.sorted(), modified: result.modified.sorted(), extra: result.extra.sorted())
  }

  /// Compares the items beside the version folders: the link, the backup mark, and unmanaged items.
  func inspectTop(
    of record: InstallationRecord, _ installed: InstalledVersion, in folder: borrowing DirectoryHandle
  ) throws -> ProductInspection {
    var result = ProductInspection()
    let isMarked = record.isExcludedFromBackup && BackupMark.isFile
    var expected = [InstallationLayout.current] + (isMarked ? [BackupMark.path] : [])
    for name in try folder.list() {
      let path = EntryPath(bytes: name)
      guard expected.contains(path) else {
        if !record.hasVersion(named: String(decoding: name, as: UTF8.self)) { result.extra.append(path) }
        continue
      }
      expected.removeAll { $0 == path }
      let status = try folder.status(of: name)
      let isSame =
        path == InstallationLayout.current
        ? try status?.kind == .link && folder.readLink(name) == installed.folderName.bytes
        : try BackupMark.isIn(folder)
      if !isSame { result.modified.append(path) }
    }
    result.missing = expected
    return result
  }

  /// Compares the folder of a version in `folder`; nil if there is none.
  func inspect(
    _ version: InstalledVersion, in folder: borrowing DirectoryHandle, with inspector: TreeInspector
  ) throws -> ProductInspection? {
    let name = version.folderName.bytes
    guard try folder.status(of: name)?.kind == .folder else { return nil }
    let versionFolder = try folder.openFolder(name)
    // A version that was installed in the flat layout keeps its mark when the layout changes.
    let isMarked = try BackupMark.isIn(versionFolder)
    return try inspector.inspect(versionFolder, against: version, marked: isMarked)
  }

  /// Returns whether the folder of a version in the versioned layout is complete, contents included.
  func holds(_ version: InstalledVersion, of product: ProductIdentifier) throws -> Bool {
    let inspector = inspector(verifies: true)
    return try inspect(version, in: root.openFolder(product.text.utf8), with: inspector)?.isComplete ?? false
  }

  /// Returns the paths among `paths` that exist in a product's folder.
  func existing(_ paths: [EntryPath], of product: ProductIdentifier) throws(FileError) -> LocatedPaths {
    let folder = try root.openFolder(product.text.utf8)
    var found: [EntryPath] = []
    for path in paths {
      // A parent folder may have been removed together with its content.
      let status = try? folder.withParent(of: path) { (parent) throws(FileError) in
        try parent.status(of: path.name)
      }
      if status != nil { found.append(path) }
    }
    return LocatedPaths(found, in: folder.path)
  }

  /// Compares the folder of a previous version. Without the folder, every item is missing.
  func inspect(
    previous version: InstalledVersion, of record: InstallationRecord, with inspector: TreeInspector
  ) throws -> ProductInspection {
    let name = version.folderName.bytes
    guard let folder = try openVersions(of: record), try folder.status(of: name)?.kind == .folder else {
      return ProductInspection(missing: try version.items.paths())
    }
    let versionFolder = try folder.openFolder(name)
    // A version that was installed in the flat layout keeps its mark.
    let isMarked = try BackupMark.isIn(versionFolder)
    return try inspector.inspect(versionFolder, against: version, marked: isMarked)
  }

  /// Returns whether a version has all its items, by kind and size, and with `isVerifying` by content. An unreadable
  /// item counts as modified.
  func isIntact(
    _ version: InstalledVersion, of record: InstallationRecord, verifying isVerifying: Bool
  ) throws -> Bool {
    let inspector = (isVerifying ? contentInspector : quickInspector).toleratingUnreadable()
    let isApart = record.layout == .versioned || version != record.installed
    return isApart
      ? try inspect(previous: version, of: record, with: inspector).isComplete
      : try inspect(record, with: inspector).isComplete
  }

  /// Opens the folder that contains the folders of previous versions; nil if there is none.
  func openVersions(of record: InstallationRecord) throws(FileError) -> DirectoryHandle? {
    let product = record.productIdentifier
    switch record.layout {
    case .flat: return try openFolder(Name.previous, of: product)
    case .versioned:
      guard try root.status(of: product.text.utf8)?.kind == .folder else { return nil }
      return try root.openFolder(product.text.utf8)
    }
  }

  /// Returns the previous versions whose folders exist.
  func availablePrevious(of record: InstallationRecord) throws(FileError) -> [InstalledVersion] {
    guard !record.previous.isEmpty, let folder = try openVersions(of: record) else { return [] }
    var available: [InstalledVersion] = []
    for version in record.previous where try folder.status(of: version.folderName.bytes)?.kind == .folder {
      available.append(version)
    }
    return available
  }

  /// The inspector that compares only kinds, sizes and links, on the current thread.
  var quickInspector: TreeInspector { inspector(verifies: false, context: access.context.with(jobs: 1)) }

  /// The inspector that also compares the contents of files, but no permissions.
  var contentInspector: TreeInspector {
    TreeInspector(verifies: true, comparesPermissions: false, context: access.context)
  }

  func inspector(verifies: Bool, context: WorkContext? = nil) -> TreeInspector {
    TreeInspector(
      verifies: verifies, context: context ?? access.context)
  }
}
