import ArgumentParser
import ContentPackage
import Installation

struct RemoveCommand: ProductChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Uninstall products, with their previous versions.")

  @Argument(help: ArgumentHelp("The products to remove.", valueName: "product-id"))
  var products: [ProductIdentifier]

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Also delete modified files, and files that iapkg did not install, and list them.")
  var force = false

  @Flag(help: "Show what would be removed, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var pastParticiple: String? { dryRun ? nil : "removed" }

  func change(_ product: ProductIdentifier, of installed: InstalledProducts) throws
    -> InstalledProducts.Change
  {
    try installed.remove(product, force: force, dryRun: dryRun)
  }
}
