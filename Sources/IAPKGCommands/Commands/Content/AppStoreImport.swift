import ContentPackage
import Conversion
import Delivery
import SafeFiles
import Support

/// The work of `import --from-app-store-connect`.
struct AppStoreImport {
  /// The result for one in-app purchase.
  struct Outcome {
    enum Kind {
      case converted(ImportedPackage)
      /// Converted to this folder by an earlier run.
      case convertedBefore(String)
      /// Apple hosts no content for the purchase.
      case noContent
      /// To be converted; a dry run downloads nothing.
      case planned
      case failed(CommandError)
    }

    /// The product identifier; safe to print.
    let product: String
    let kind: Kind
    /// The content that App Store Connect lists; nil if it lists none.
    let content: HostedContent?

    var error: CommandError? {
      if case .failed(let error) = kind { error } else { nil }
    }
  }

  private let command: ImportCommand
  private let context: CommandContext
  /// The folder that contains the content folders; the current folder by default.
  private var folder: String { command.folder ?? "." }

  init(_ command: ImportCommand, _ context: CommandContext) {
    self.command = command
    self.context = context
  }

  func run() throws -> ExitStatus {
    try ImportWork.checkParent(folder)
    let report = command.report
    let client = try command.appStore.account.client(report.text, isQuiet: report.quiet, context)
    let outcomes = try command.progress.showing(
      report.text, in: context, limits: command.work.limits, jobs: command.work.jobs
    ) { work in try importAll(through: client, work) }
    return AppStoreRendering(outcomes, of: command).render(on: context.console)
  }

  private func importAll(through client: AppStoreClient, _ work: WorkContext) throws -> [Outcome] {
    let purchases = try client.purchases(ofApp: command.appStore.account.app ?? "")
    let downloads =
      try command.dryRun ? HostedDownloads(reading: folder) : HostedDownloads(in: folder)
    var products: Set<String> = []
    var outcomes: [Outcome] = []
    for purchase in purchases {
      let isFirst = products.insert(purchase.product).inserted
      do {
        outcomes.append(try outcome(of: purchase, isFirst: isFirst, through: client, into: downloads, work))
      } catch {
        let error = commandError(error)
        guard error.status.isInterruption else { throw error }
        throw interruption(error.status, after: outcomes, of: purchases.count)
      }
    }
    return outcomes
  }

  /// Returns the error of an interruption, with the products that this run has converted.
  private func interruption(
    _ status: ExitStatus, after outcomes: [Outcome], of count: Int
  ) -> CommandError {
    let converted = outcomes.compactMap { if case .converted = $0.kind { $0.product } else { nil } }
    let done = converted.isEmpty ? "" : Quantity.completed(converted, of: count, "imported") + "; "
    return CommandError(status, "interrupted; \(done)received bytes are kept for the next run")
  }

  /// Processes one purchase. An error does not stop the others, unless it is an interruption.
  private func outcome(
    of purchase: HostedPurchase, isFirst: Bool, through client: AppStoreClient,
    into downloads: HostedDownloads?,
    _ work: WorkContext
  ) throws -> Outcome {
    var content: HostedContent?
    let product = String(displaying: purchase.product.utf8)
    do {
      guard isFirst else {
        throw CommandError(.untrustworthy, "App Store Connect lists \(product) a second time")
      }
      content = try client.content(of: purchase)
      guard let content else { return Outcome(product: product, kind: .noContent, content: nil) }
      let kind = try importContent(content, of: purchase, through: client, into: downloads, work)
      return Outcome(product: product, kind: kind, content: content)
    } catch {
      let error = commandError(error)
      if error.status.isInterruption { throw error }
      return Outcome(product: product, kind: .failed(error), content: content)
    }
  }

  private func commandError(_ error: any Error) -> CommandError {
    CommandError(error, cancellation: context.cancellation, inputs: [])
  }

  /// Downloads content and converts it to a folder, unless an earlier run did. A dry run does neither.
  private func importContent(
    _ content: HostedContent, of purchase: HostedPurchase, through client: AppStoreClient,
    into downloads: HostedDownloads?, _ work: WorkContext
  ) throws -> Outcome.Kind {
    if let path = try downloads?.imported(content, of: purchase) { return .convertedBefore(path) }
    guard let product = ProductIdentifier(purchase.product) else {
      throw CommandError(
        .untrustworthy, "App Store Connect lists '\(purchase.product)', which is not a product identifier")
    }
    try ImportWork.checkFolder(of: product, in: folder)
    guard !command.dryRun, let downloads else { return .planned }
    var received = try receive(content, of: purchase, through: client, into: downloads, work)
    let made: ImportedPackage
    do {
      made = try convert(received, of: product, purchase, downloads, work)
    } catch  where received.isResumed && !commandError(error).status.isInterruption {
      // The bytes of an earlier run can be damaged, if the machine stopped before they reached the disk.
      received = try downloads.receive(
        content, of: purchase, through: client, restarting: true, progress: work.progress)
      made = try convert(received, of: product, purchase, downloads, work)
    }
    try downloads.removeDownload(of: purchase)
    return .converted(made)
  }

  /// Downloads content. If its address has expired, requests a new one.
  private func receive(
    _ content: HostedContent, of purchase: HostedPurchase, through client: AppStoreClient,
    into downloads: HostedDownloads, _ work: WorkContext
  ) throws -> HostedDownloads.Received {
    do {
      return try downloads.receive(content, of: purchase, through: client, progress: work.progress)
    } catch let error as StoreError where error.reason == .denied {
      guard let renewed = try client.content(of: purchase), renewed != content else { throw error }
      return try downloads.receive(renewed, of: purchase, through: client, progress: work.progress)
    }
  }

  private func convert(
    _ received: HostedDownloads.Received, of product: ProductIdentifier, _ purchase: HostedPurchase,
    _ downloads: HostedDownloads, _ work: WorkContext
  ) throws -> ImportedPackage {
    try downloads.recordImport(of: purchase, as: product.text)
    do {
      return try ImportWork(
        command, ImportWork.Job(source: received.path, product: product), context, work
      ).run()
    } catch {
      let error = commandError(error)
      try? downloads.recordImport(of: purchase, as: nil)  // the earlier error is more informative
      guard !error.status.isInterruption else { throw error }
      throw CommandError(
        error.status, "\(error.message); the file is kept as \(received.path)", path: received.path,
        findings: error.findings)
    }
  }
}
