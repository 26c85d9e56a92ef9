import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles

struct RolloutCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout", abstract: "Change the share of the clients that may install a release.",
    discussion: """
      publish and release begin a rollout with --rollout. A share that grows only adds clients. Others get the newest \
      release that they may install, and installed versions stay. 0% pauses the rollout, and 100% ends it.

      Each Documents folder draws a random number, which iapkg never sends. The number, the product and the version \
      decide whether it takes part. iapkg update --now takes part in any rollout that is not paused.
      """)

  @Argument(help: ArgumentHelp("The product.", valueName: "product-id"))
  var product: ProductIdentifier

  @Argument(
    help: ArgumentHelp("The version. The default is the newest one in rollout.", valueName: "version"))
  var version: ContentVersion?

  @Option(
    help: ArgumentHelp("The new share, such as 50%.", valueName: "share"), transform: RolloutShare.parse)
  var share: RolloutShare

  @Option(
    help: ArgumentHelp(
      "The time in which the share grows to all clients in seven equal steps, such as 7d or 36h.",
      valueName: "period"))
  var schedule: RolloutPeriod?

  @OptionGroup var target: StoreTargetOptions

  @OptionGroup var credentials: StoreCredentialOptions

  @Flag(
    help: """
      Check everything, show the rollout as it would be, and change nothing. This needs no key, and the store may be a \
      web server.
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

  func validate() throws { _ = try RolloutPlan.parse(share, named: "--share", over: schedule) }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target(isDryRun: dryRun)
    let change = try target.change(context, headers: credentials.headers(context.cancellation))
    let plan = RolloutPlan(share: share, duration: schedule?.seconds)
    let result = try ReleaseEditor(of: product, by: change, isDryRun: dryRun).rollOut(version, by: plan)
    let rendering = RolloutRendering(result, product, store: target.store, isDryRun: dryRun)
    report.render(rendering.document, on: context.console) { rendering.lines }
    change.warn(report.text, on: context.console)
    return .success
  }
}
