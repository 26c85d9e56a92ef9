import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

struct ExtractCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Install packages into Documents/<product-id>.",
    discussion: """
      extract checks the content while it unpacks it into a staging folder. If the content is valid, the new version \
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
  var pastParticiple: String? { dryRun ? nil : repair ? "repaired" : "installed" }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    access.documents(documents, installs: true)
    return access
  }

  func validate() throws {
    try StandardInput.check(packages)
    if `repair`, installation.choosesInstallation || installation.force || dryRun {
      throw ValidationError(
        "--repair restores what is installed, and cannot be combined with --layout, --keep, --force, "
          + "--allow-downgrade, --exclude-from-backup or --dry-run")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    var files = try checkProducts(context.cancellation)
    return try perform(onEach: packages, in: context) { package in
      let result = try progress.showing(
        report.text, in: context, limits: work.limits, jobs: work.jobs
      ) { try install(package, files.removeValue(forKey: package), context, $0) }
      let findings = rules.unignored(result.report.findings)
      if let error = CommandError(result, path: package, offersRepair: true, findings) { throw error }
      report.render(
        findings.about(packages.count > 1 ? package : nil), showingAll: rules.all, on: context.console)
      let rendering = ExtractRendering(
        result, into: documents.into, isDryRun: dryRun, findings: findings)
      return InputResult(rendering.document) { rendering.write(TextLayout(for: .output), to: $0) }
    }
  }

  /// The maximum number of packages that stay open after their products are known.
  private static let maximumFileCount = 64

  /// Rejects two packages of one product, which would replace each other. Unreadable packages are reported later.
  ///
  /// - Returns: The packages that stay open, so that the checked files are installed.
  private func checkProducts(_ cancellation: Cancellation) throws -> [String: InputFile] {
    guard packages.count > 1 else { return [:] }
    var products = RepeatedProducts()
    var files: [String: InputFile] = [:]
    for package in packages where package != StandardInput.path {
      guard let file = try? InputFile.open(package),
        let source = try? PackageSource.open(file, cancellation: cancellation),
        let product = try? PackageSummary(of: source, cancellation: cancellation).productIdentifier
      else { continue }
      if let sentence = products.add(product, package) {
        throw CommandError(.usage, "\(sentence); give one of them")
      }
      if files.count < Self.maximumFileCount { files[package] = file }
    }
    return files
  }

  private func install(
    _ package: String, _ file: InputFile?, _ context: CommandContext, _ work: WorkContext
  ) throws -> PackageInstaller.Result {
    let installer = try PackageInstaller(
      options: installation.options,
      access: documents.installationAccess(
        context, makesParents: parents, isDurable: !durability.noSync, work),
      accepts: { !rules.reject($0) })
    let review = try review(of: package, file, in: work)
    if `repair` { return try installer.repair(consume review, named: package) }
    if dryRun { return try installer.dryRun(consume review, named: package) }
    return try installer.install(consume review, named: package)
  }

  private func review(
    of package: String, _ file: InputFile?, in context: WorkContext
  ) throws -> ContentReview {
    context.progress.begin(.checking, package)
    let source =
      package == StandardInput.path
      ? try StandardInput.open(in: context)
      : try PackageSource.open(file ?? InputFile.open(package), cancellation: context.cancellation)
    return try ContentReview(of: source, limits: context.limits, cancellation: context.cancellation)
  }
}
