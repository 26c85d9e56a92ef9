import ArgumentParser
import ContentPackage
import Installation
import Support

struct RollbackCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Return to a previous version of a product.",
    discussion: "The current version becomes a previous one, so a second rollback returns to it.")

  @Argument(help: ArgumentHelp("The product to roll back.", valueName: "product-id"))
  var product: ProductIdentifier

  @Option(
    help: ArgumentHelp(
      "The version to return to. The default is the one that was used last.", valueName: "version"))
  var to: ContentVersion?

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let change = try progress.showing(report.text, in: context) {
      let installed = InstalledProducts(
        documents.access(context, isDurable: !durability.noSync, $0))
      return try installed.rollBack(product, to: to, rehearsing: dryRun)
    }
    let rendering = ChangeRendering(
      change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) {
      TextLayout(for: .output).sentence(in: rendering.lines)
    }
    return .success
  }
}
