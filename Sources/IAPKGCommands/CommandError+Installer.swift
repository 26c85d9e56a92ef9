import ContentPackage
import Installation

extension CommandError {
  /// Creates the error for a package at `path` that was not installed; nil for an installed package.
  ///
  /// `offersRepair` indicates whether the command has the option `--repair`.
  init?(_ result: PackageInstaller.Result, path: String, offersRepair: Bool, _ findings: [Finding]) {
    switch result.outcome {
    case .installed, .repaired, .upToDate: return nil
    case .invalid:
      self.init(Self.status(of: findings), "the package was not installed", path: path, findings: findings)
    case .downgradeRefused:
      self.init(
        .invalid,
        "version \(result.previousVersion ?? "") is installed, which is higher than the package's; use "
          + "--allow-downgrade to install it nevertheless", path: path)
    case .damaged(let inspection):
      self.init(
        .invalid,
        "version \(result.previousVersion ?? "") is installed but not intact: \(Self.counts(in: inspection)); "
          + (offersRepair ? "use --repair to restore them, or --force" : "use --force")
          + " to install all of it again",
        path: path)
    case .otherContent(let version):
      self.init(.invalid, Self.otherContent(of: version), path: path)
    }
  }

  /// Returns the message about an installed version whose content differs from the package of that version.
  static func otherContent(of version: String) -> String {
    "version \(version) already exists, and its content differs from the package; raise the version of the package, or "
      + "use --force to replace the existing version"
  }
}
