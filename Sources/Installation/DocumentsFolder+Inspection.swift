import ContentPackage
import SafeFiles
import Support
import ZipArchive

extension DocumentsFolder {
  /// Compares a product's folder with its record. Without the folder all of it is missing.
  ///
  /// In the versioned layout previous versions lie in it too: what iapkg did not install is extra there as well, while
  /// what is missing and modified is told of the version in use.
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

  private func inspectVersions(
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

  /// Compares what lies beside the folders of the versions: the link, the mark for backups, and what is not ours.
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
  private func inspect(
    _ version: InstalledVersion, in folder: borrowing DirectoryHandle, with inspector: TreeInspector
  ) throws -> ProductInspection? {
    let name = version.folderName.bytes
    guard try folder.status(of: name)?.kind == .folder else { return nil }
    let versionFolder = try folder.openFolder(name)
    // A version that was installed flat brings its mark along when the layout changes.
    let isMarked = try BackupMark.isIn(versionFolder)
    return try inspector.inspect(versionFolder, against: version, marked: isMarked)
  }

  /// Whether a version in the versioned layout is there as it was installed, contents included.
  func holds(_ version: InstalledVersion, of product: ProductIdentifier) throws -> Bool {
    let inspector = inspector(verifies: true)
    return try inspect(version, in: root.openFolder(product.text.utf8), with: inspector)?.isComplete ?? false
  }

  /// Those of `places` in a product's folder where something is.
  func existing(_ places: [EntryPath], of product: ProductIdentifier) throws(FileError) -> LocatedPaths {
    let folder = try root.openFolder(product.text.utf8)
    var found: [EntryPath] = []
    for place in places {
      // A folder on the way may have gone with what was in it.
      let status = try? folder.withParent(of: place) { (parent) throws(FileError) in
        try parent.status(of: place.name)
      }
      if status != nil { found.append(place) }
    }
    return LocatedPaths(found, in: folder.path)
  }

  /// Compares the folder of a previous version; without it all of it is missing.
  func inspect(
    previous version: InstalledVersion, of record: InstallationRecord, with inspector: TreeInspector
  ) throws -> ProductInspection {
    let name = version.folderName.bytes
    guard let folder = try openVersions(of: record), try folder.status(of: name)?.kind == .folder else {
      return ProductInspection(missing: try version.items.paths())
    }
    let versionFolder = try folder.openFolder(name)
    // A version that was installed flat carries the mark with it if it had one.
    let isMarked = try BackupMark.isIn(versionFolder)
    return try inspector.inspect(versionFolder, against: version, marked: isMarked)
  }

  /// Opens the folder in which previous versions lie, each in a folder of its own; nil if there is none.
  func openVersions(of record: InstallationRecord) throws(FileError) -> DirectoryHandle? {
    let product = record.productIdentifier
    switch record.layout {
    case .flat: return try openFolder(Name.previous, of: product)
    case .versioned:
      guard try root.status(of: product.text.utf8)?.kind == .folder else { return nil }
      return try root.openFolder(product.text.utf8)
    }
  }

  /// The previous versions whose folders are there.
  func availablePrevious(of record: InstallationRecord) throws(FileError) -> [InstalledVersion] {
    guard !record.previous.isEmpty, let folder = try openVersions(of: record) else { return [] }
    var available: [InstalledVersion] = []
    for version in record.previous where try folder.status(of: version.folderName.bytes)?.kind == .folder {
      available.append(version)
    }
    return available
  }

  /// Compares kinds, sizes and links only, on this thread.
  var quickInspector: TreeInspector { inspector(verifies: false, context: access.context.with(jobs: 1)) }

  func inspector(verifies: Bool, context: WorkContext? = nil) -> TreeInspector {
    TreeInspector(
      verifies: verifies, context: context ?? access.context)
  }
}
