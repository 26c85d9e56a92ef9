import ArgumentParser
import ContentPackage

struct InitCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Start a content folder.",
    discussion:
      "Makes the folder with ContentInfo.plist and an empty Contents folder to put the content into.")

  @Argument(help: "The content folder to make.")
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The in-app purchase's identifier: up to 100 letters, digits, periods, hyphens, underscores.",
      valueName: "id"))
  var productId: ProductIdentifier

  @Option(
    help: ArgumentHelp("The version of the content: integers separated by periods.", valueName: "version"))
  var contentVersion = ContentVersion.initial

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var report: ReportOptions

  func perform(in context: CommandContext) throws -> ExitStatus {
    let info = ContentInfo(productIdentifier: productId, contentVersion: contentVersion)
    try ContentFolder.make(at: folder, info, replacing: replacing.force)
    let document = PackageDocument(
      command: Self.reportName, path: folder, product: info.productIdentifier, version: info.contentVersion)
    report.render(document, on: context.console) {
      let identity = "\(info.productIdentifier) \(info.contentVersion)"
      return ["\(document.path): \(identity), content goes into \(document.path)/Contents"]
    }
    return .success
  }
}
