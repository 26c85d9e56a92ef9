import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

struct UpdateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Update fetched products from the stores that they came from.")

  @Argument(
    help: ArgumentHelp("The products. The default is all fetched products.", valueName: "product-id"))
  var products: [ProductIdentifier] = []

  @Option(
    help: ArgumentHelp(
      "Use the releases of this channel from now on. A newer version of another channel stays installed.",
      valueName: "name"), transform: Channel.parse)
  var channel: Channel?

  @Flag(help: "Install a release in rollout too, unless its rollout is paused.")
  var now = false

  @OptionGroup var release: ReleaseOptions
  @OptionGroup var documents: DocumentsOptions
  @OptionGroup var installation: InstallOptions

  @Flag(help: "Show what would be downloaded, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var progress: TransferProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var showsAllFindings: Bool { rules.all }

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.documents(documents)
    access.read(release)
    access.readOrigins(in: documents)
    return access
  }

  /// Waits for a run that may record another store, such as the first fetch of a product.
  mutating func waitForAccess() { documents.waitForOthers() }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let outcomes = try progress.showing(
      report.text, in: context, limits: self.work.limits, jobs: self.work.jobs
    ) { work, transfers in
      let access = try documents.installationAccess(context, isDurable: !durability.noSync, work)
      let fetching = FetchWork(
        context, release, into: access, options: installation.options, rules: rules, text: report.text,
        for: dryRun ? .dryRun : .installation, transfers: transfers)
      let named = products
      let products = try ProductOrigin.products(named, in: access)
      if named.isEmpty {
        for download in try UnfinishedDownload.ofNew(in: access) {
          report.text.note(CommandError(download).message, on: context.console)
        }
      }
      try fetching.checkCredentials(for: products)
      transfers.add(products)
      try fetching.assignKeys(to: products)
      return try fetching.each(products) { try fetching.update($0, channel: channel, joiningRollouts: now) }
    }
    let rendering = FetchRendering(outcomes, command: Self.reportName, into: documents.into)
    return rendering.render(report, showingAll: rules.all, on: context.console)
  }
}
