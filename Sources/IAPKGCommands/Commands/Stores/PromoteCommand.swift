import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles

struct PromoteCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote", abstract: "Add a published version to another channel.",
    discussion: """
      promote changes only the catalog: it uploads and builds nothing, so clients of the channel install the bytes that \
      were tested in the other one. The version stays in its other channels.
      """)

  @Argument(help: ArgumentHelp("The product.", valueName: "product-id"))
  var product: ProductIdentifier

  @Argument(help: ArgumentHelp("The version.", valueName: "version"))
  var version: ContentVersion

  @Option(help: ArgumentHelp("The channel to add.", valueName: "name"), transform: Channel.parse)
  var channel: Channel

  @OptionGroup var target: StoreTargetOptions

  @OptionGroup var credentials: StoreCredentialOptions

  @Flag(help: "Promote a version below the highest one of the channel, to fix an older line.")
  var allowOlder = false

  @Flag(
    help: """
      Check everything, show what would be promoted, and change nothing. This needs no key, and the store may be a web \
      server.
      """)
  var dryRun = false

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var settingsFolders: [String] { ["."] }

  var access: ProcessAccess? {
    var access = ProcessAccess()
    access.add(target.access())
    access.read(trust: nil, credentials)
    return access
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target(isDryRun: dryRun)
    let change = try target.change(context, headers: credentials.headers(context.cancellation))
    let result = try ReleaseEditor(of: product, by: change, isDryRun: dryRun)
      .promote(version, to: channel, allowingOlder: allowOlder)
    let rendering = PromoteRendering(
      result, product, to: channel, store: target.store, isDryRun: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    change.warn(report.text, on: context.console)
    return .success
  }
}
