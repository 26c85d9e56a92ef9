import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

struct ExtractCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Install a package into Documents/<product-id>.",
    discussion: """
      Everything is checked while it is unpacked into a staging folder. If nothing is wrong, the new version is put \
      in place in one step. The previous version is kept, so that iapkg rollback can return to it.
      """)

  @Argument(help: "The package to install, or - for standard input.", completion: .file())
  var package: String

  @OptionGroup var documents: DocumentsOptions

  @Option(
    help: ArgumentHelp(
      """
      flat: the content is in the product's folder; versioned: each version has a folder there, and the link 'current' \
      leads to the one in use. An update keeps the layout, and the first installation is flat.
      """))
  var layout: InstallationLayout?

  @Option(
    help: ArgumentHelp(
      "The number of previous versions to keep for iapkg rollback.", valueName: "n"))
  var keep = PackageInstaller.Options.defaultKeptVersions

  @Flag(
    help: """
      Install the same version again, or in place of files that iapkg did not install, which are then kept in \
      Documents/.iapkg.
      """)
  var force = false

  @Flag(help: "Install the package even if a higher version is installed.")
  var allowDowngrade = false

  @Flag(help: "Restore missing and modified files from the package that is installed.")
  var `repair` = false

  @Flag(help: "Mark the product and its later versions so that backups leave them out.")
  var excludeFromBackup = false

  @Flag(help: "Also make the parent folders of the folder of --into.")
  var parents = false

  @Flag(help: "Check everything, show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(package, .package)] }

  /// The largest number of previous versions to keep.
  private static let mostKept = 1_000

  func validate() throws {
    guard (0...Self.mostKept).contains(keep) else {
      throw ValidationError("--keep is \(keep), expected 0 to \(Self.mostKept)")
    }
    if `repair`, force || allowDowngrade || excludeFromBackup || dryRun {
      throw ValidationError(
        "--repair cannot be combined with --force, --allow-downgrade, --exclude-from-backup or --dry-run")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let result = try progress.showing(
      report.text, in: context, limits: work.limits, jobs: work.jobs
    ) { try install(context, $0) }
    let findings = rules.counted(result.report.findings)
    if let failure = failure(result, findings) { throw failure }
    report.render(findings, on: context.console)
    let rendering = ExtractRendering(result, into: documents.into, isRehearsal: dryRun, findings: findings)
    report.render(rendering.document, on: context.console) {
      TextLayout(for: .output).sentence(in: rendering.lines)
    }
    return .success
  }

  private func install(
    _ context: CommandContext, _ work: WorkContext
  ) throws -> PackageInstaller.Result {
    let installer = PackageInstaller(
      options: PackageInstaller.Options(
        layout: layout, force: force, allowDowngrade: allowDowngrade, excludesFromBackup: excludeFromBackup,
        keptVersions: keep),
      access: documents.access(
        context, makesParents: parents, isDurable: !durability.noSync, work),
      accepts: { !rules.reject($0) })
    guard package != StandardInput.path else { return try install(standardInput(in: work), by: installer) }
    if `repair` { return try installer.repair(package) }
    return try dryRun ? installer.rehearse(package) : installer.install(package)
  }

  private func install(
    _ review: ContentReview, by installer: PackageInstaller
  ) throws -> PackageInstaller.Result {
    if `repair` { return try installer.repair(review, named: package) }
    return try dryRun
      ? installer.rehearse(review, named: package) : installer.install(review, named: package)
  }

  private func standardInput(in context: WorkContext) throws -> ContentReview {
    let source = try StandardInput.open(in: context)
    return try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
  }

  private func failure(_ result: PackageInstaller.Result, _ findings: [Finding]) -> CommandFailure? {
    switch result.outcome {
    case .installed, .repaired, .upToDate: nil
    case .rejected:
      CommandFailure(
        CommandFailure.status(of: findings), "the package was not installed", path: package,
        findings: findings)
    case .downgradeRefused:
      CommandFailure(
        .rejected,
        "version \(result.previousVersion ?? "") is installed, which is higher than the package's; use "
          + "--allow-downgrade to install it nevertheless", path: package)
    case .damaged(let inspection):
      CommandFailure(
        .rejected,
        "version \(result.previousVersion ?? "") is installed but not intact: \(CommandFailure.words(inspection)); "
          + "use --repair to restore that, or --force to install all of it again", path: package)
    case .otherContent(let version):
      CommandFailure(
        .rejected,
        "version \(version) is there already, and its content is not that of the package; raise the version of the "
          + "package, or use --force to install it in place of the other", path: package)
    }
  }
}
