import ArgumentParser
import ContentPackage
import SafeFiles

struct StatusCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is installed, and whether it is as it was installed.",
    discussion: "Exits 1 if any product is not as it was installed.")

  @Argument(help: ArgumentHelp("The products; all unless given.", valueName: "product-id"))
  var products: [ProductIdentifier] = []

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Compare contents and permissions too, not only kinds and sizes.")
  var verify = false

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let statuses = try progress.showing(report.text, in: context) {
      let installed = InstalledProducts(documents.access(context, isDurable: true, progress: $0))
      return try installed.status(of: products, verifying: verify, jobs: threads.count)
    }
    let rendering = StatusRendering(statuses, style: report.style(for: .output))
    report.render(rendering.document, on: context.console) { rendering.lines }
    return statuses.allSatisfy(\.inspection.isIntact) ? .success : .rejected
  }
}
