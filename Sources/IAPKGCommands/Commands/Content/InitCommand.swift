import ArgumentParser
import ContentPackage
import SafeFiles
import Support
import SystemPackage

struct InitCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Start a content folder.",
    discussion:
      "Makes the folder with ContentInfo.plist and an empty folder Contents.")

  @Argument(help: "The content folder to make.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The product identifier of the in-app purchase: up to 100 letters, digits, periods, hyphens and underscores.",
      valueName: "id"))
  var productId: ProductIdentifier

  @Option(
    help: ArgumentHelp("The version of the content: integers separated by periods.", valueName: "version"))
  var contentVersion = ContentVersion.initial

  @Flag(help: "Make missing parent folders too.")
  var parents = false

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.makeFolder(folder)
    return access
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    try ContentFolderCheck.check(folder)
    let info = ContentInfo(productIdentifier: productId, contentVersion: contentVersion)
    try make(info)
    let document = PackageDocument(
      command: Self.reportName, path: folder, product: info.productIdentifier, version: info.contentVersion)
    report.render(document, on: context.console) {
      let identity = "\(info.productIdentifier) \(info.contentVersion)"
      return TextLayout(for: .output).sentence(in: [
        "\(document.path): \(identity), content goes into \(document.path)/Contents"
      ])
    }
    return .success
  }

  private func make(_ info: ContentInfo) throws {
    do {
      try ContentFolder.make(at: folder, info, makingParents: parents, replacing: replacing.force)
    } catch let error as InvalidContent {
      throw CommandError(
        .invalid, "the manifest was not replaced", path: folder, findings: error.findings)
    } catch let error as FileError {
      guard error.errno == .noSuchFileOrDirectory,
        !parents || FileSystem.danglingLink(blocking: folder) != nil
      else { throw error }
      throw CommandError(missingFolderAbove: error)
    }
  }
}
