import ArgumentParser
import ContentPackage
import Installation
import SafeFiles
import Support

struct StatusCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show installed products, and whether they are intact.",
    discussion: """
      Previous versions and kept files are listed too. The exit code is 1 if a product is not as it was installed.
      """)

  @Argument(help: ArgumentHelp("The products to show. The default is all of them.", valueName: "product-id"))
  var products: [ProductIdentifier] = []

  @OptionGroup var documents: DocumentsOptions

  @Flag(help: "Compare contents and permissions, not only kinds and sizes.")
  var verify = false

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.documents(documents)
    return access
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let found = try progress.showing(report.text, in: context, jobs: threads.jobs) {
      let installed = InstalledProducts(documents.access(context, isDurable: true, $0))
      return try installed.status(of: products, verifying: verify)
    }
    let errors = found.errors.map { CommandError($0, cancellation: context.cancellation, inputs: []) }
    let rendering = StatusRendering(
      found.products, errors, isVerified: verify, style: report.style(for: .output))
    report.render(rendering.document, on: context.console) { print in rendering.write(to: print) }
    for error in errors { report.printError(error, on: context.console) }
    return rendering.status
  }
}
