import ArgumentParser
import Installation

/// The layout, the previous versions and the checks of an installation.
struct InstallOptions: ParsableArguments {
  /// The maximum number of previous versions to keep.
  private static let maximumKeptVersions = 1_000

  @Option(
    help: ArgumentHelp(
      """
      flat: the product's folder holds the content; versioned: it holds a folder for each version, and the link \
      'current' points to the one in use. An update keeps the layout; the default of a first installation is flat.
      """))
  var layout: InstallationLayout?

  @Option(
    help: ArgumentHelp(
      """
      The number of previous versions to keep for iapkg rollback. The default is \
      \(PackageInstaller.Options.defaultKeptVersions).
      """, valueName: "n"))
  var keep: Int?

  @Flag(
    help: """
      Install the same version again, or replace files that iapkg did not install; iapkg keeps those in \
      Documents/.iapkg.
      """)
  var force = false

  @Flag(help: "Install the package even if a higher version is installed.")
  var allowDowngrade = false

  @Flag(help: "Mark the product and its later versions so that backups exclude them.")
  var excludeFromBackup = false

  func validate() throws {
    if let keep, !(0...Self.maximumKeptVersions).contains(keep) {
      throw ValidationError("--keep is \(keep), expected 0 to \(Self.maximumKeptVersions)")
    }
  }

  var options: PackageInstaller.Options {
    PackageInstaller.Options(
      layout: layout, force: force, allowDowngrade: allowDowngrade, excludesFromBackup: excludeFromBackup,
      keptVersions: keep ?? PackageInstaller.Options.defaultKeptVersions)
  }

  /// Whether an option is given that only an installation can apply, not a repair or a download to a file.
  var choosesInstallation: Bool {
    layout != nil || keep != nil || allowDowngrade || excludeFromBackup
  }
}
