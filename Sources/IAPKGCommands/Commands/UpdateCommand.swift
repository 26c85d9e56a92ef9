import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

struct UpdateCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Bring products that were fetched up to date, from where they came.")

  @Argument(
    help: ArgumentHelp("The products; all that were fetched unless given.", valueName: "product-id"))
  var products: [ProductIdentifier] = []

  @OptionGroup var release: ReleaseOptions
  @OptionGroup var documents: DocumentsOptions
  @OptionGroup var installation: InstallOptions

  @Flag(help: "Say what would be transferred, and change nothing.")
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

  func perform(in context: CommandContext) throws -> ExitStatus {
    let outcomes = try progress.showing(
      report.text, in: context, limits: self.work.limits, jobs: self.work.jobs
    ) { work, transfers in
      let access = documents.access(context, isDurable: !durability.noSync, work)
      let fetching = FetchWork(
        context, release, into: access, options: installation.options, rules: rules,
        for: dryRun ? .rehearsal : .installation, transfers: transfers)
      let products = try ProductOrigin.products(products, in: access)
      try fetching.checkCredentials(for: products)
      transfers.add(products)
      return try fetching.each(products) { try fetching.update($0) }
    }
    let rendering = FetchRendering(outcomes, command: Self.reportName, into: documents.into)
    return rendering.render(report, showingAll: rules.all, on: context.console)
  }
}
