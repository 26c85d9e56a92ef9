import ArgumentParser
import ContentPackage
import SafeFiles

struct ExtractCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Install a package into Documents/<product-id>.",
    discussion: """
      Everything is checked while it is unpacked beside the target; only a whole and accepted tree is put in \
      place, and the version before is kept in Documents/.iapkg.
      """)

  @Argument(help: "The package.")
  var package: String

  @Option(help: ArgumentHelp("The folder that holds a folder for each product.", valueName: "folder"))
  var into = "Documents"

  @Flag(help: "Install the same version again, or in the place of something that iapkg did not install.")
  var force = false

  @Flag(help: "Install although a higher version is installed.")
  var allowDowngrade = false

  @Flag(help: "Check everything, say what would be installed, and change nothing.")
  var dryRun = false

  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let installer = PackageInstaller(
      limits: work.limits, jobs: work.threads, cancellation: context.cancellation, force: force,
      allowDowngrade: allowDowngrade, accepts: { !rules.reject($0) })
    let result =
      dryRun ? try installer.rehearse(package, into: into) : try installer.install(package, into: into)
    let findings = rules.counted(result.report.findings)
    switch result.outcome {
    case .rejected:
      throw CommandFailure(
        CommandFailure.status(of: findings), "the package was not installed", path: package,
        findings: findings)
    case .downgradeRefused:
      throw CommandFailure(
        .rejected,
        "version \(result.previousVersion ?? "") is installed, which is higher than the package's; use "
          + "--allow-downgrade to install it all the same", path: package)
    case .installed, .upToDate:
      report.render(findings, on: context.console)
      let rendering = ExtractRendering(result, into: into, isRehearsal: dryRun, findings: findings)
      report.render(rendering.document, on: context.console) { [rendering.line] }
      return .success
    }
  }
}
