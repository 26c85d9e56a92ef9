import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

/// A command that changes installed products, one after another.
protocol ProductChangeCommand: PackageCommand where Report == ReportOptions {
  var products: [ProductIdentifier] { get }
  var documents: DocumentsOptions { get }
  var dryRun: Bool { get }
  var durability: DurabilityOptions { get }
  var progress: ProgressOptions { get }

  /// Changes one product, or only plans the change if `dryRun` is set.
  func change(_ product: ProductIdentifier, of installed: InstalledProducts) throws
    -> InstalledProducts.Change
}

extension ProductChangeCommand {
  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.documents(documents)
    return access
  }

  func validate() throws {
    var known: Set<ProductIdentifier> = []
    for product in products where !known.insert(product).inserted {
      throw ValidationError("\(product) is named twice")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try perform(onEach: products, in: context) { product in
      let made = try progress.showing(report.text, in: context) {
        try change(
          product, of: InstalledProducts(documents.access(context, isDurable: !durability.noSync, $0)))
      }
      let rendering = ChangeRendering(
        made, command: Self.reportName, into: documents.into, isDryRun: dryRun)
      return InputResult(rendering.document) { rendering.write(TextLayout(for: .output), to: $0) }
    }
  }
}
