import ArgumentParser
import ContentPackage

struct RemoveCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Uninstall a product, with the version before.")

  @Argument(help: ArgumentHelp("The product.", valueName: "product-id"))
  var product: ProductIdentifier

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Delete files in the product's folder too that iapkg did not install.")
  var force = false

  @Flag(help: "Say what would be removed, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let change = try progress.showing(report.text, in: context) {
      let installed = InstalledProducts(
        documents.access(context, isDurable: !durability.noSync, progress: $0))
      return try installed.remove(product, force: force, rehearsing: dryRun)
    }
    let rendering = ChangeRendering(
      change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) { [rendering.line] }
    return .success
  }
}
