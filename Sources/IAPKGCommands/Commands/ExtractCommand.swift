import ArgumentParser
import ContentPackage
import SafeFiles

struct ExtractCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Install a package into Documents/<product-id>.",
    discussion: """
      Everything is checked while it is unpacked beside the target; only a whole and accepted tree is put in \
      place, in one step, and the version before is kept in Documents/.iapkg.
      """)

  @Argument(help: "The package.")
  var package: String

  @OptionGroup var documents: DocumentsOptions

  @Option(
    help: ArgumentHelp(
      """
      flat: the content lies in the product's folder; versioned: in one for its version, beside a link 'current'. \
      As it is installed unless given, and flat the first time.
      """))
  var layout: InstallationLayout?

  @Flag(
    help:
      "Install the same version again, or over files that iapkg did not install, which the version before keeps."
  )
  var force = false

  @Flag(help: "Install although a higher version is installed.")
  var allowDowngrade = false

  @Flag(help: "Make anew only what is missing or modified, from the package that is installed.")
  var `repair` = false

  @Flag(help: "Mark the product, and the versions to come, so that backups leave it out.")
  var excludeFromBackup = false

  @Flag(help: "Check everything, say what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(package, .package)] }

  func validate() throws {
    if `repair`, force || allowDowngrade || excludeFromBackup || dryRun {
      throw ValidationError(
        "--repair cannot be combined with --force, --allow-downgrade, --exclude-from-backup or --dry-run")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let result = try progress.showing(report.text, in: context) { try install(context, $0) }
    let findings = rules.counted(result.report.findings)
    if let failure = failure(result, findings) { throw failure }
    report.render(findings, on: context.console)
    let rendering = ExtractRendering(result, into: documents.into, isRehearsal: dryRun, findings: findings)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }

  private func install(
    _ context: CommandContext, _ progress: WorkProgress
  ) throws -> PackageInstaller.Result {
    let installer = PackageInstaller(
      limits: work.limits, jobs: work.threads,
      options: PackageInstaller.Options(
        layout: layout, force: force, allowDowngrade: allowDowngrade, excludesFromBackup: excludeFromBackup),
      access: documents.access(context, isDurable: !durability.noSync, progress: progress),
      accepts: { !rules.reject($0) })
    if `repair` { return try installer.repair(package) }
    return try dryRun ? installer.rehearse(package) : installer.install(package)
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
          + "--allow-downgrade to install it all the same", path: package)
    case .damaged(let inspection):
      CommandFailure(
        .rejected,
        "version \(result.previousVersion ?? "") is installed but not intact: \(CommandFailure.words(inspection)); "
          + "use --repair to make that anew, or --force to install all of it again", path: package)
    }
  }
}
