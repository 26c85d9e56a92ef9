import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// What is there before an installation.
  struct Present {
    let record: InstallationRecord?
    /// What has the product's name; nil if nothing has.
    let kind: FileStatus.Kind?
    /// Whether that is a folder with nothing in it.
    let isEmpty: Bool
    /// How it differs from its record, by kinds and sizes; nil without a record.
    let inspection: ProductInspection?
    let path: String

    var modified: [EntryPath] { inspection?.modified ?? [] }
    var version: String? { record?.installed?.contentVersion }

    /// What becomes the version before once another takes its place.
    var replaced: Installation? {
      switch kind {
      case nil: record?.previous
      case .folder: record?.installed
      default: nil  // somebody has put it in the place of what was installed
      }
    }
  }

  /// How a version is laid out.
  struct Form {
    let layout: InstallationLayout
    let isExcludedFromBackup: Bool
  }

  /// As it is wished, and otherwise as what is installed.
  func form(over installed: Installation?) -> Form {
    Form(
      layout: options.layout ?? installed?.layout ?? .flat,
      isExcludedFromBackup: options.excludesFromBackup || installed?.isExcludedFromBackup ?? false)
  }

  func present(_ product: ProductIdentifier, in folder: borrowing DocumentsFolder) throws -> Present {
    access.progress.begin(.verifying, folder.path(of: product))
    let record = try folder.record(of: product)
    let kind = try folder.kind(of: product)
    let inspection = try record?.installed.map { installed in
      try folder.inspect(product, against: installed, with: folder.quickInspector)
    }
    return Present(
      record: record, kind: kind,
      isEmpty: kind == .folder ? try folder.root.openFolder(product.text.utf8).list().isEmpty : false,
      inspection: inspection, path: folder.path(of: product))
  }

  /// What is there makes of the wish to install; nil to go on.
  ///
  /// - Throws: `InstallationRefusal` if something is there that is not ours.
  func decide(
    _ info: ContentInfo, _ present: Present, in folder: borrowing DocumentsFolder
  ) throws -> Outcome? {
    if let outcome = try decide(info, present) { return outcome }
    // What is there becomes the version before, and the one that is kept goes.
    if present.kind != nil, !options.force {
      try folder.refuseLoss(of: info.productIdentifier, besides: present.record?.previous)
    }
    return nil
  }

  /// The same where no version before is kept.
  func decide(_ info: ContentInfo, _ present: Present) throws -> Outcome? {
    guard let kind = present.kind else { return nil }
    guard kind == .folder, let installed = present.record?.installed, let inspection = present.inspection,
      let version = ContentVersion(installed.contentVersion)
    else {
      guard options.force || present.isEmpty else {
        throw InstallationRefusal.foreign(path: present.path, found: "a \(kind.name)")
      }
      return nil
    }
    if info.contentVersion < version, !options.allowDowngrade { return .downgradeRefused }
    let form = form(over: installed)
    let isWished =
      info.contentVersion == version && installed.layout == form.layout
      && installed.isExcludedFromBackup == form.isExcludedFromBackup
    if isWished, !options.force { return inspection.isComplete ? .upToDate : .damaged(inspection) }
    guard inspection.extra.isEmpty || options.force else {
      throw InstallationRefusal.unrecorded(path: present.path, inspection.extra)
    }
    return nil
  }
}
