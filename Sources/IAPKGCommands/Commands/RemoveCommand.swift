import ArgumentParser
import ContentPackage
import Installation
import Support

struct RemoveCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Uninstall products, with their previous versions.")

  @Argument(help: ArgumentHelp("The products to remove.", valueName: "product-id"))
  var products: [ProductIdentifier]

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Also delete files of the products that iapkg did not install, and list them.")
  var force = false

  @Flag(help: "Show what would be removed, and change nothing.")
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
        return try installed.remove(product, force: force, rehearsing: dryRun)
      }
      let rendering = ChangeRendering(
        change, command: Self.reportName, into: documents.into, isRehearsal: dryRun)
      return InputResult(rendering.document, sentences: rendering.lines)
    }
  }
}
