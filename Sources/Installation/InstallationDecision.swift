import ContentPackage
import SafeFiles
import ZipArchive

/// What becomes of the wish to install a version, from what is there and nothing else.
enum InstallationDecision: Equatable {
  case install(InstallationPlan)
  /// The version is installed as it is wished; it remains to be seen whether its content is that of the package.
  case compare(InstalledVersion)
  /// A higher version is installed.
  case refuseDowngrade
  /// Something is in the way that iapkg did not install.
  case refuse(InstallationError)

  init(for version: ContentVersion, over state: ProductState, _ options: PackageInstaller.Options) {
    let plan = InstallationPlan(for: version, over: state, options)
    guard let kind = state.kind else {
      self = .install(plan)
      return
    }
    guard let installed = state.installed, let record = state.record, let inspection = state.inspection else {
      self =
        options.force || state.isEmpty
        ? .install(plan) : .refuse(.foreign(path: state.path, found: "a \(kind.name)"))
      return
    }
    if version < installed.contentVersion, !options.allowDowngrade {
      self = .refuseDowngrade
      return
    }
    let isAsWished = record.layout == plan.layout && record.isExcludedFromBackup == plan.isExcludedFromBackup
    if version == installed.contentVersion, isAsWished, !options.force {
      self = .compare(installed)
    } else if !inspection.extra.isEmpty, !options.force {
      self = .refuse(.unrecorded(path: state.path, inspection.extra))
    } else {
      self = .install(plan)
    }
  }
}

/// How a version is to be installed.
struct InstallationPlan: Equatable {
  let contentVersion: ContentVersion
  let layout: InstallationLayout
  let isExcludedFromBackup: Bool
  /// What the new content takes the place of.
  let target: ProductChange.Target
  /// The versions to be kept, the one that was in use last first.
  let previous: [InstalledVersion]
  /// What is there of the very version, in use or not, whose content must be that of the package; nil if it may differ.
  let counterpart: InstalledVersion?

  init(for version: ContentVersion, over state: ProductState, _ options: PackageInstaller.Options) {
    contentVersion = version
    layout = options.layout ?? state.record?.layout ?? .flat
    isExcludedFromBackup = options.excludesFromBackup || state.record?.isExcludedFromBackup ?? false
    let isBesideOthers = layout == .versioned && state.record?.layout == .versioned && state.installed != nil
    target = isBesideOthers ? .version : .product
    let known = (state.installed.map { [$0] } ?? []) + state.previous
    previous = Array(known.filter { $0.contentVersion != version }.prefix(options.keptVersions))
    counterpart = options.force ? nil : known.first { $0.contentVersion == version }
  }

  /// The folder that the content goes into, in what is staged; nil for that itself.
  var contentFolder: EntryPath? {
    layout == .versioned && target == .product ? EntryPath(contentVersion.text) : nil
  }

  /// Whether the version that is in use stays as a previous one.
  func keepsPrevious(of state: ProductState) -> Bool {
    state.installed.map { old in previous.contains { $0.contentVersion == old.contentVersion } } ?? false
  }

  /// What is known of the product once `version` is installed by this plan.
  func record(of product: ProductIdentifier, installing version: InstalledVersion) -> InstallationRecord {
    InstallationRecord(
      product, layout: layout, isExcludedFromBackup: isExcludedFromBackup, installed: version,
      previous: previous)
  }
}
