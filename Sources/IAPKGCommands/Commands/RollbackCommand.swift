import ArgumentParser
import ContentPackage

struct RollbackCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Put back the version of a product that was installed before.",
    discussion: "The present version is kept in its place: doing it twice returns to it.")

  @Argument(help: ArgumentHelp("The product.", valueName: "product-id"))
  var product: ProductIdentifier

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Say what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let change = try progress.showing(report.text, in: context) {
      let installed = InstalledProducts(
        documents.access(context, isDurable: !durability.noSync, progress: $0))
      return try installed.rollBack(product, rehearsing: dryRun)
    }
    let rendering = ChangeRendering(
      change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) { [rendering.line] }
    return .success
  }
}
