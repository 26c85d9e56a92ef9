import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

struct ExtractCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Install packages into Documents/<product-id>.",
    discussion: """
      extract checks the content while it unpacks it into a staging folder. If nothing is wrong, the new version \
      replaces the installed one in one step. extract keeps the previous version, so that iapkg rollback can return \
      to it.
      """)

  @Argument(
    help: ArgumentHelp("The packages to install, or - for standard input.", valueName: "package"),
    completion: .file())
  var packages: [String]

  @OptionGroup var documents: DocumentsOptions

  @OptionGroup var installation: InstallOptions

  @Flag(help: "Restore missing and modified files from the package that is installed.")
  var `repair` = false

  @Flag(help: "Make missing parent folders of --into too.")
  var parents = false

  @Flag(help: "Check everything, show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { packages.map { CommandInput($0, .package).orStandardInput } }

  var showsAllFindings: Bool { rules.all }
  var deed: String? { dryRun ? nil : repair ? "repaired" : "installed" }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    access.documents(documents, installs: true)
    return access
  }

  func validate() throws {
    try StandardInput.check(packages)
    let changesMore =
      installation.force || installation.allowDowngrade || installation.excludeFromBackup || dryRun
    if `repair`, changesMore {
      throw ValidationError(
        "--repair cannot be combined with --force, --allow-downgrade, --exclude-from-backup or --dry-run")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try checkProducts(context.cancellation)
    return try perform(onEach: packages, in: context) { package in
      let result = try progress.showing(
        report.text, in: context, limits: work.limits, jobs: work.jobs
      ) { try install(package, context, $0) }
      let findings = rules.counted(result.report.findings)
      if let error = CommandError(result, path: package, offersRepair: true, findings) { throw error }
      report.render(
        findings.about(packages.count > 1 ? package : nil), showingAll: rules.all, on: context.console)
      let rendering = ExtractRendering(
        result, into: documents.into, isRehearsal: dryRun, findings: findings)
      return InputResult(rendering.document) { rendering.write(TextLayout(for: .output), to: $0) }
    }
  }

  /// Rejects two packages of one product, which would replace each other. Unreadable packages are reported later.
  private func checkProducts(_ cancellation: Cancellation) throws {
    guard packages.count > 1 else { return }
    var products = RepeatedProducts()
    for package in packages where package != StandardInput.path {
      let summary = try? PackageSummary(of: package, cancellation: cancellation)
      guard let product = summary?.productIdentifier else { continue }
      if let sentence = products.add(product, package) {
        throw CommandError(.usage, "\(sentence); give one of them")
      }
    }
  }

  private func install(
    _ package: String, _ context: CommandContext, _ work: WorkContext
  ) throws -> PackageInstaller.Result {
    let installer = PackageInstaller(
      options: installation.options,
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
    let name = StandardInput.path
    if `repair` { return try installer.repair(review, named: name) }
    return try dryRun ? installer.rehearse(review, named: name) : installer.install(review, named: name)
  }

  private func standardInput(in context: WorkContext) throws -> ContentReview {
    let source = try StandardInput.open(in: context)
    return try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
  }
}
