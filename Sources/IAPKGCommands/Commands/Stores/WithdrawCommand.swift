import ArgumentParser
import ContentPackage
import Delivery
import SafeFiles

struct WithdrawCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw", abstract: "Withdraw a published version, or undo its withdrawal.",
    discussion: """
      Clients no longer install a withdrawn version. Installed copies stay, and the version cannot be published \
      again. --undo makes it available again.
      """)

  /// The maximum length of a reason in a catalog, in bytes.
  private static let maximumReasonLength = DocumentLimits.maximumReasonBytes

  @Argument(help: ArgumentHelp("The product.", valueName: "product-id"))
  var product: ProductIdentifier

  @Argument(help: ArgumentHelp("The version.", valueName: "version"))
  var version: ContentVersion

  @Option(
    help: ArgumentHelp("The reason, which clients show to users who request the version.", valueName: "text"))
  var reason: String?

  @Flag(help: "Undo the withdrawal.")
  var undo = false

  @OptionGroup var target: StoreTargetOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? { target.access() }
  var settingsFolders: [String] { ["."] }

  func validate() throws {
    guard undo == (reason == nil) else {
      throw ValidationError(
        undo
          ? "--undo cannot be combined with --reason"
          : "--reason is missing; give the reason, or use --undo")
    }
    guard let reason else { return }
    guard (1...Self.maximumReasonLength).contains(reason.utf8.count) else {
      throw ValidationError(
        "--reason has \(reason.utf8.count) bytes, expected 1 to \(Self.maximumReasonLength)")
    }
    let unsuitable: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
    guard !reason.unicodeScalars.contains(where: { unsuitable.contains($0.properties.generalCategory) })
    else {
      throw ValidationError("--reason has a control character or a line separator, expected one line of text")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let target = try target.target()
    let change = try target.change(context)
    let result = try ReleaseEditor(of: product, by: change).withdraw(version, reason: reason)
    let (isNew, sequence) = (result.isChanged, result.sequence)
    let withdrawn = result.release.contentVersion
    let document = WithdrawDocument(
      productIdentifier: product.text, contentVersion: withdrawn.text,
      outcome: undo ? (isNew ? "restored" : "not-withdrawn") : (isNew ? "withdrawn" : "already-withdrawn"),
      sequence: sequence, store: DisplayedStore.name(target.store))
    report.render(document, on: context.console) {
      ["\(product) \(withdrawn): \(description(isNew: isNew)), catalog \(sequence)"]
    }
    change.warn(report.text, on: context.console)
    return .success
  }

  private func description(isNew: Bool) -> String {
    undo
      ? (isNew ? "no longer withdrawn" : "was not withdrawn")
      : (isNew ? "withdrawn" : "was already withdrawn")
  }
}

/// The report of `withdraw`.
struct WithdrawDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = "withdraw"
  let productIdentifier: String
  let contentVersion: String
  /// `withdrawn` or `already-withdrawn`; with `--undo`, `restored` or `not-withdrawn`.
  let outcome: String
  let sequence: Int64
  let store: String
}
