import ArgumentParser
import ContentPackage
import Installation
import Support

struct RemoveCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Uninstall a product, with its previous versions.")

  @Argument(help: ArgumentHelp("The product to remove.", valueName: "product-id"))
  var product: ProductIdentifier

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Also delete files of the product that iapkg did not install, and list them.")
  var force = false

  @Flag(help: "Show what would be removed, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let change = try progress.showing(report.text, in: context) {
      let installed = InstalledProducts(
        documents.access(context, isDurable: !durability.noSync, $0))
      return try installed.remove(product, force: force, rehearsing: dryRun)
    }
    let rendering = ChangeRendering(
      change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
    report.render(rendering.document, on: context.console) {
      TextLayout(for: .output).sentence(in: rendering.lines)
    }
    return .success
  }
}
