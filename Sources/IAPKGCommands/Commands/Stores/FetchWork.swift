import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support

/// The work of `fetch`, `update` and `outdated` for each product.
struct FetchWork {
  let context: CommandContext
  let release: ReleaseOptions
  let installer: PackageInstaller
  let rules: RuleOptions
  let text: TextOptions
  let purpose: Purpose
  let transfers: TransferProgress
  private let readers = StoreReaders()
  /// Warns that a later run may accept an older catalog.
  private let unrecorded: OneTimeReport<any Error>?

  /// The effect of the work.
  enum Purpose {
    /// Installs the products.
    case installation
    /// Reports the plan of an installation, or why it is refused, and changes nothing.
    case rehearsal
    /// Reports available updates, and records the catalog.
    case survey
  }

  /// The report of a run without products.
  static let noProducts = "no product here was fetched from a store"

  private var access: DocumentsAccess { installer.access }

  init(
    _ context: CommandContext, _ release: ReleaseOptions, into access: DocumentsAccess,
    options: PackageInstaller.Options = .init(), rules: RuleOptions, text: TextOptions, for purpose: Purpose,
    transfers: TransferProgress = TransferProgress()
  ) {
    self.context = context
    self.release = release
    self.rules = rules
    self.text = text
    self.purpose = purpose
    self.transfers = transfers
    unrecorded = purpose == .survey ? Self.warning(text, context) : nil
    installer = PackageInstaller(options: options, access: access, accepts: { !rules.reject($0) })
  }

  private static func warning(_ text: TextOptions, _ context: CommandContext) -> OneTimeReport<any Error> {
    let head = text.style(for: .error).warning("warning:") + " "
    let (messages, cancellation) = (context.console.messages, context.cancellation)
    return OneTimeReport { error in
      let reason = CommandError(error, cancellation: cancellation, inputs: []).message
      TextLayout(for: .error).lines(
        after: head, width: 9,
        "iapkg cannot record the catalog in Documents, so a later run may accept an older one: \(reason)"
      ).forEach(messages.write)
    }
  }

  /// The result for one product.
  struct Outcome {
    enum Kind {
      case fetched(ReleaseFetcher.Result)
      case planned(ReleaseFetcher.Plan)
      /// The store has no newer release.
      case current(CurrentProduct)
      case failed(CommandError)
    }

    let product: ProductIdentifier
    let kind: Kind
    var findings: [Finding] = []
    /// The transfer counts of a failed product; nil if the store received no request.
    var meter: TransferMeter?

    var error: CommandError? {
      if case .failed(let error) = kind { error } else { nil }
    }
  }

  /// Processes the products in order. After an interruption, returns the results so far and one failure for the
  /// interrupted product.
  ///
  /// - Throws: The interruption, if the first product was interrupted or the interruption was already reported.
  func each(
    _ products: [ProductIdentifier], _ work: (ProductIdentifier) throws -> Outcome
  ) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    for product in products {
      do {
        outcomes.append(try work(product))
      } catch let error as CommandError where error.status.isInterruption && !outcomes.isEmpty {
        guard context.cancellation.claimMessage() else { throw error }
        let rest = products.count - outcomes.count - 1
        let others = rest > 0 ? "; \(rest) more were not begun" : ""
        let stopped = CommandError(error.status, "\(product): \(error.message)\(others)")
        outcomes.append(
          Outcome(product: product, kind: .failed(stopped), meter: transfers.meter(of: product)))
        break
      }
    }
    return outcomes
  }

  /// Installs a product from a store, or plans the installation.
  ///
  /// With `switchingChannel`, an installed version that is newer than the channel's releases stays.
  func fetch(
    _ product: ProductIdentifier, from store: String, _ choice: ReleaseChoice, switchingChannel: Bool = false
  ) throws -> Outcome {
    try attempt(product) {
      let fetcher = try fetcher(store)
      let staysNewer = switchingChannel && !installer.options.allowDowngrade
      return try perform(product, by: fetcher, choice, keeping: staysNewer ? .newer : .none)
    }
  }

  /// Updates a product from its origin, or from `store` and `channel` if given. Options can force a reinstallation of
  /// the installed version.
  func update(
    _ product: ProductIdentifier, from store: String? = nil, channel: Channel? = nil
  ) throws -> Outcome {
    try attempt(product) {
      let origin = try ProductOrigin.of(product, in: access)
      guard let location = store ?? origin?.store else { throw FetchError.noOrigin(product) }
      let fetcher = try fetcher(location)
      let choice = ReleaseChoice(
        contentVersion: nil, channel: channel ?? origin?.channel ?? .stable, appVersion: release.appVersion)
      let isForced = installer.options.force || installer.options.layout != nil
      return try perform(
        product, by: fetcher, choice, keeping: !isForced ? .sameOrNewer : channel != nil ? .newer : .none)
    }
  }

  /// Plans an installation, and performs it unless the purpose is a rehearsal or a survey.
  private func perform(
    _ product: ProductIdentifier, by fetcher: ReleaseFetcher, _ choice: ReleaseChoice,
    keeping kept: ReleaseFetcher.KeptVersion = .none
  ) throws -> Outcome {
    let check = try fetcher.plan(
      product, choice, resuming: purpose == .installation ? .moving : .counting,
      noting: purpose != .rehearsal,
      keeping: kept)
    switch check {
    case .current(let current):
      if purpose == .installation { try fetcher.settle(current) }
      return Outcome(product: product, kind: .current(current))
    case .fetch(let plan):
      if purpose == .installation { return try fetch(plan, by: fetcher) }
      if purpose == .rehearsal, let refused = try fetcher.refusal(of: plan) { _ = try accepted(refused) }
      return Outcome(product: product, kind: .planned(plan.summary))
    }
  }

  /// Rejects credentials if the products have several origin stores, because credentials are for one store.
  ///
  /// - Throws: `ValidationError`, and the errors of `ProductOrigin.of`.
  func checkCredentials(for products: [ProductIdentifier]) throws {
    guard release.hasCredentials else { return }
    let stores = Set(try products.compactMap { try ProductOrigin.of($0, in: access)?.store })
    guard stores.count > 1 else { return }
    throw ValidationError(
      "--header and --token-file are for one store, and the products come from \(stores.count); name those of one store"
    )
  }

  private func fetch(_ plan: ReleaseFetcher.Plan, by fetcher: ReleaseFetcher) throws -> Outcome {
    let result = try fetcher.fetch(plan)
    return Outcome(
      product: plan.productIdentifier, kind: .fetched(result), findings: try accepted(result.installation))
  }

  /// Returns the findings of installed content.
  ///
  /// - Throws: `CommandError` if the content was not installed.
  private func accepted(_ result: PackageInstaller.Result) throws -> [Finding] {
    let findings = rules.counted(result.report.findings)
    if let error = CommandError(result, path: result.report.path, offersRepair: false, findings) {
      throw error
    }
    return findings
  }

  private func fetcher(_ location: String) throws -> ReleaseFetcher {
    let absolute = try StoreLocation.absolute(location)
    let reader = try readers.reader(of: absolute) { try release.reader(of: location, text, context) }
    return ReleaseFetcher(
      reader, location: absolute, trusting: try readers.keys(release.namedKeys),
      allowsExpired: release.allowExpired,
      installer: installer, transfers: transfers, unrecorded: unrecorded)
  }

  /// Runs `work` for one product. An error does not stop the others, unless it is an interruption.
  private func attempt(_ product: ProductIdentifier, _ work: () throws -> Outcome) throws -> Outcome {
    do {
      return try transfers.following(product, work)
    } catch {
      let error = CommandError(error, cancellation: context.cancellation, inputs: [])
      if error.status.isInterruption {
        transfers.cancel()
        throw CommandError(
          error.status,
          "interrupted; the installed version is as it was, and what was received is kept for the next try")
      }
      return Outcome(
        product: product, kind: .failed(error), findings: error.findings, meter: transfers.meter(of: product))
    }
  }
}

/// The stores of a run. Each is opened once, and its catalog is read once.
private final class StoreReaders {
  private var readers: [String: StoreReader] = [:]
  private var keys: NamedKeys??

  /// Returns the trusted keys that the options name, which are read once.
  func keys(_ read: () throws -> NamedKeys?) throws -> NamedKeys? {
    if let keys { return keys }
    let found = try read()
    keys = .some(found)
    return found
  }

  /// Returns a reader with its own transfer counts.
  func reader(of location: String, open: () throws -> StoreReader) throws -> StoreReader {
    if let known = readers[location] { return known.withFreshMeter() }
    let reader = try open().sharingCatalog()
    readers[location] = reader
    return reader
  }
}
