import ContentPackage
import SafeFiles
import ZipArchive

/// The decision on installing a version, derived from the state of the product and the options alone.
enum InstallationDecision: Equatable {
  case install(InstallationPlan)
  /// The version is already installed as requested; its content remains to be compared with the package.
  case compare(InstalledVersion)
  /// A higher version is installed.
  case refuseDowngrade
  /// An item that iapkg did not install, or another product, is in the way.
  case refuse(InstallationError)

  init(for version: ContentVersion, over state: ProductState, _ options: PackageInstaller.Options) {
    if let refusal = state.refusal {
      self = .refuse(refusal)
      return
    }
    let plan = InstallationPlan(for: version, over: state, options)
    guard let kind = state.kind else {
      self = .install(plan)
      return
    }
    guard let installed = state.installed, let record = state.record, let inspection = state.inspection else {
      self =
        options.force || state.isEmpty
        ? .install(plan) : .refuse(.unmanaged(path: state.path, found: "a \(kind.name)"))
      return
    }
    if version < installed.contentVersion, !options.allowDowngrade {
      self = .refuseDowngrade
      return
    }
    let isAsRequested =
      record.layout == plan.layout && record.isExcludedFromBackup == plan.isExcludedFromBackup
    if version == installed.contentVersion, isAsRequested, !options.force {
      self = .compare(installed)
    } else if !inspection.extra.isEmpty, !options.force {
      self = .refuse(.unrecorded(path: state.path, inspection.extra))
    } else {
      self = .install(plan)
    }
  }
}

/// The plan of one installation: the version, its target, and the versions that stay or are deleted.
struct InstallationPlan: Equatable {
  let contentVersion: ContentVersion
  let layout: InstallationLayout
  let isExcludedFromBackup: Bool
  /// The folder that the new content replaces.
  let target: ProductChange.Target
  /// The previous versions to keep, the most recently used first.
  private(set) var previous: [InstalledVersion]
  /// The older versions, which are deleted.
  let dropped: [InstalledVersion]
  /// The damaged versions that are deleted although an older one is kept.
  private(set) var damaged: [InstalledVersion] = []
  /// The same version, installed or previous, whose content must equal the package's; nil if there is none or its
  /// content may differ.
  let counterpart: InstalledVersion?

  init(for version: ContentVersion, over state: ProductState, _ options: PackageInstaller.Options) {
    contentVersion = version
    layout = options.layout ?? state.record?.layout ?? .flat
    isExcludedFromBackup = options.excludesFromBackup || state.record?.isExcludedFromBackup ?? false
    let isBesideOthers = layout == .versioned && state.record?.layout == .versioned && state.installed != nil
    target = isBesideOthers ? .version : .product
    let known = (state.installed.map { [$0] } ?? []) + state.previous
    let others = known.filter { $0.contentVersion != version }
    previous = Array(others.prefix(options.keptVersions))
    dropped = Array(others.dropFirst(options.keptVersions))
    counterpart = options.force ? nil : known.first { $0.contentVersion == version }
  }

  /// The folder in staging for the content; nil for staging itself.
  var contentFolder: EntryPath? {
    layout == .versioned && target == .product ? EntryPath(contentVersion.text) : nil
  }

  /// Returns whether the version in use is kept as a previous version.
  func keepsPrevious(of state: ProductState) -> Bool {
    state.installed.map { old in previous.contains { $0.contentVersion == old.contentVersion } } ?? false
  }

  /// Returns the record of the product once `version` is installed.
  func record(of product: ProductIdentifier, installing version: InstalledVersion) -> InstallationRecord {
    InstallationRecord(
      product, layout: layout, isExcludedFromBackup: isExcludedFromBackup, installed: version,
      previous: previous)
  }
}

extension InstallationPlan {
  /// Returns the plan that keeps intact versions instead of damaged ones, which a rollback cannot restore. A change of
  /// the layout moves every version, so the contents are then compared too.
  func keepingIntact(
    over state: ProductState, in folder: borrowing DocumentsFolder
  ) throws -> InstallationPlan {
    guard let record = state.record else { return self }
    return try keepingIntact { version in
      try folder.isIntact(version, of: record, verifying: record.layout != layout)
    }
  }

  /// Returns the plan that prefers to keep the versions that `isIntact` accepts.
  func keepingIntact(_ isIntact: (InstalledVersion) throws -> Bool) rethrows -> InstallationPlan {
    guard !previous.isEmpty, !dropped.isEmpty else { return self }
    let versions = previous + dropped
    var (intact, others): ([Int], [Int]) = ([], [])
    for (index, version) in versions.enumerated() where intact.count < previous.count {
      if try isIntact(version) { intact.append(index) } else { others.append(index) }
    }
    let kept = intact + others.prefix(previous.count - intact.count)
    var plan = self
    plan.previous = kept.sorted().map { versions[$0] }
    let oldest = kept.max() ?? 0
    plan.damaged = others.filter { $0 < oldest && !kept.contains($0) }.map { versions[$0] }
    return plan
  }

  /// Throws if the content has an item with the name of the backup mark and both would be in one folder.
  func refuseMarkConflict(in review: ContentReview) throws(InstallationError) {
    guard isExcludedFromBackup, layout == .flat, BackupMark.isFile else { return }
    if PackageContent.hasNameOfBackupMark(in: review) { throw .backupMarkConflict }
  }
}
