import ArgumentParser
import Delivery
import SafeFiles

struct CatalogRenewCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew", abstract: "Replace the catalog with a newer one that has the same releases.",
    discussion: """
      The new catalog has the current time and the next sequence number. It keeps the expiry period of the previous \
      one unless --expires is given. Run renew before a catalog expires.

      Clients refuse a catalog whose sequence number is lower than one that they have seen. After you restore a \
      store from a backup, raise the number above all published ones with --at-least. renew then lists releases that \
      the catalog lacks. It finds them by the packages in the store and in the record beside the key. Clients may have \
      them, so publish them again. In place of a withdrawn one, publish a higher version. renew also lists withdrawn \
      releases that the catalog offers.
      """)
  static let reportName = "catalog renew"

  @OptionGroup var target: StoreTargetOptions

  @Option(
    help: ArgumentHelp("The minimum sequence number of the new catalog.", valueName: "n"))
  var atLeast: Int64?

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access() }
  var settingsFolders: [String] { ["."] }

  func validate() throws {
    let maximum = DocumentLimits.maximumRequestedSequence
    guard let atLeast, !(1...maximum).contains(atLeast) else { return }
    throw ValidationError("--at-least is \(atLeast), expected 1 to \(maximum)")
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target()
    let change = try target.change(context)
    let catalog = try change.renew(atLeast: atLeast)
    let unlisted = try atLeast.map { _ in try UnlistedReleases(of: change, in: catalog) }
    let rendering = CatalogRenewRendering(catalog, unlisted, store: target.store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    change.warn(report.text, on: context.console)
    return .success
  }
}
