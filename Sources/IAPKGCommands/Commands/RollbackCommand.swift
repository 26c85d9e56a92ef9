import ArgumentParser
import ContentPackage
import Installation
import Support

struct RollbackCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Return to a previous version of products.",
    discussion: "The current version becomes a previous one, so a second rollback returns to it.")

  @Argument(help: ArgumentHelp("The products to roll back.", valueName: "product-id"))
  var products: [ProductIdentifier]

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

  func validate() throws { try ProductArguments.check(products) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try perform(onEach: products, in: context) { product in
      let change = try progress.showing(report.text, in: context) {
        let installed = InstalledProducts(
          documents.access(context, isDurable: !durability.noSync, $0))
        return try installed.rollBack(product, to: to, rehearsing: dryRun)
      }
      let rendering = ChangeRendering(
        change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
      return InputResult(rendering.document, sentences: rendering.lines)
    }
  }
}
