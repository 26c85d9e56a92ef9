import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

struct DownloadsCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "downloads", abstract: "Show unfinished downloads, or delete one.",
    discussion: "The next iapkg fetch or iapkg update of a product resumes its download.")

  @Option(help: ArgumentHelp("Delete the unfinished download of this product.", valueName: "product-id"))
  var cancel: ProductIdentifier?

  @OptionGroup var documents: DocumentsOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.documents(documents)
    return access
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let access = documents.access(context, isDurable: true, WorkContext())
    if let cancel { try UnfinishedDownload.cancel(cancel, in: access) }
    let rendering = DownloadsRendering(try UnfinishedDownload.all(in: access), cancelled: cancel)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
