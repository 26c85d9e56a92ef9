public import ContentPackage
import SafeFiles
public import ZipArchive

extension PackageInstaller {
  /// The outcome of installing or repairing a package.
  public enum Outcome: Sendable, Equatable {
    /// The package is installed.
    case installed
    /// The listed files, folders and links were restored.
    case repaired([EntryPath])
    /// The package was rejected because a finding is an error.
    case invalid
    /// This version with this content is already installed.
    case upToDate
    /// This version is installed, but its files are damaged.
    case damaged(ProductInspection)
    /// This version is installed, or kept as a previous one, with content that differs from the package's.
    case otherContent(version: String)
    /// A higher version is installed.
    case downgradeRefused

    /// Whether the package was refused, so that the installed version is unchanged.
    package var isRefusal: Bool {
      switch self {
      case .installed, .repaired, .upToDate: false
      case .invalid, .damaged, .otherContent, .downgradeRefused: true
      }
    }
  }

  /// The outcome for a package, with its validation report.
  public struct Result: Sendable {
    /// The outcome.
    public let outcome: Outcome
    /// The findings in the package.
    public let report: ValidationReport
    /// The version in use before the call; nil if the product was not installed.
    public let previousVersion: String?
    /// The layout of the product's folder before the call; nil if the product was not installed.
    public let previousLayout: InstallationLayout?
    /// The number of files and links that the package installs.
    public let files: Int
    /// The size of these files and of the targets of these links, in bytes.
    public let fileBytes: Int64
    /// The changes of an installation; only for a dry run.
    public let changes: InstallationChanges?
    /// The items in the product's folder whose kind, size or link target differed from the record and that were
    /// replaced.
    public let replacedModified: [EntryPath]
    /// Whether those items are now in a previous version; otherwise they are among `kept`. A file in place of the link
    /// `current` is always among `kept`.
    public let keepsPrevious: Bool
    /// The versions that are not kept as previous ones because they are damaged and older ones are intact.
    public let damagedVersions: [String]
    /// The paths of files that iapkg did not install and keeps for the user to move or delete, safe to print.
    public let kept: LocatedPaths
  }

  /// The parts of a result that depend neither on the review nor on the previous state.
  struct Installed {
    var outcome = Outcome.invalid
    var changes: InstallationChanges?
    var kept = LocatedPaths()
    var keepsPrevious = false
    var damaged: [InstalledVersion] = []
  }

  /// The parts of a result that depend on the review, so that the review, which contains every name, can be freed.
  struct Checked {
    let report: ValidationReport
    let files: Int
    let fileBytes: Int64

    init(_ review: ContentReview, named name: String) {
      report = ValidationReport(path: name, review: review)
      files = PackageContent.fileCount(of: review)
      fileBytes = PackageContent.fileBytes(of: review)
    }
  }

  func result(_ installed: Installed, _ checked: Checked, _ state: ProductState?) -> Result {
    Result(
      outcome: installed.outcome, report: checked.report,
      previousVersion: state?.record?.installed?.contentVersion.text, previousLayout: state?.record?.layout,
      files: checked.files,
      fileBytes: checked.fileBytes,
      changes: installed.changes,
      replacedModified: installed.outcome == .installed ? state?.inspection?.modified ?? [] : [],
      keepsPrevious: installed.keepsPrevious, damagedVersions: installed.damaged.map(\.contentVersion.text),
      kept: installed.kept)
  }
}
