import ArgumentParser
import ContentPackage
import Installation

struct RollbackCommand: ProductChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Return to a previous version of products.",
    discussion: """
      The current version becomes a previous one, so a second rollback returns to it, unless its files are missing or \
      modified.
      """)

  @Argument(help: ArgumentHelp("The products to roll back.", valueName: "product-id"))
  var products: [ProductIdentifier]

  @Option(
    help: ArgumentHelp(
      "The version to return to. The default is the version that was used last.", valueName: "version"))
  var to: ContentVersion?

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup var durability: DurabilityOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var pastParticiple: String? { dryRun ? nil : "rolled back" }

  func change(_ product: ProductIdentifier, of installed: InstalledProducts) throws
    -> InstalledProducts.Change
  {
    try installed.rollBack(product, to: to, dryRun: dryRun)
  }
}
