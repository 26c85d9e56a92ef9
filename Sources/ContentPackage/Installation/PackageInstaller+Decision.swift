import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// What is there before an installation.
  struct Present {
    let record: InstallationRecord?
    /// Whether anything has the product's name.
    let hasFolder: Bool
    /// Whether there is anything in it.
    let isEmpty: Bool
    /// How it differs from its record, by kinds and sizes; nil without a record.
    let inspection: ProductInspection?
    let path: String
  }

  func present(_ product: ProductIdentifier, in folder: borrowing DocumentsFolder) throws -> Present {
    let record = try folder.record(of: product)
    let hasFolder = try folder.hasFolder(of: product)
    let inspection = try record?.installed.map { installed in
      try folder.inspect(product, against: installed, with: folder.quickInspector)
    }
    return Present(
      record: record, hasFolder: hasFolder,
      isEmpty: hasFolder ? try folder.root.openFolder(product.text.utf8).list().isEmpty : true,
      inspection: inspection, path: folder.path(of: product))
  }

  /// What is there makes of the wish to install; nil to go on.
  ///
  /// - Throws: `InstallationRefusal` if something is there that is not ours.
  func decide(_ info: ContentInfo, _ present: Present) throws -> Outcome? {
    guard present.hasFolder else { return nil }
    guard let installed = present.record?.installed, let inspection = present.inspection,
      let version = ContentVersion(installed.contentVersion)
    else {
      guard options.force || present.isEmpty else { throw InstallationRefusal.foreign(path: present.path) }
      return nil
    }
    if info.contentVersion < version, !options.allowDowngrade { return .downgradeRefused }
    let isWished =
      info.contentVersion == version && installed.layout == options.layout
      && (installed.isExcludedFromBackup || !options.excludesFromBackup)
    if isWished, !options.force { return inspection.isComplete ? .upToDate : .damaged(inspection) }
    guard inspection.extra.isEmpty || options.force else {
      throw InstallationRefusal.unrecorded(path: present.path, inspection.extra)
    }
    return nil
  }
}
