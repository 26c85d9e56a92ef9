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
  let purpose: ReleaseFetcher.Purpose
  let transfers: TransferProgress
  private let readers = StoreReaders()
  /// The one-time warning that a catalog could not be recorded; nil unless the run is a survey.
  private let unrecordedWarning: OneTimeReport<any Error>?

  /// The message of a run without products.
  static let noProductsMessage = "no product here was fetched from a store"

  private var access: DocumentsAccess { installer.access }

  init(
    _ context: CommandContext, _ release: ReleaseOptions, into access: DocumentsAccess,
    options: PackageInstaller.Options = .init(), rules: RuleOptions, text: TextOptions,
    for purpose: ReleaseFetcher.Purpose,
    transfers: TransferProgress = TransferProgress()
  ) {
    self.context = context
    self.release = release
    self.rules = rules
    self.text = text
    self.purpose = purpose
    self.transfers = transfers
    unrecordedWarning = purpose == .survey ? Self.makeUnrecordedWarning(text, context) : nil
    installer = PackageInstaller(options: options, access: access, accepts: { !rules.reject($0) })
  }

  private static func makeUnrecordedWarning(
    _ text: TextOptions, _ context: CommandContext
  ) -> OneTimeReport<any Error> {
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
      case planned(ReleaseFetcher.Plan, notes: ReleaseFetcher.SurveyedNotes?)
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
        let remainingCount = products.count - outcomes.count - 1
        let others = remainingCount > 0 ? "; \(remainingCount) more were not started" : ""
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
  /// With `switchingChannel`, an installed version that is newer than the channel's releases stays, unless the options
  /// allow a downgrade.
  func fetch(
    _ product: ProductIdentifier, from store: String, _ choice: ReleaseChoice, switchingChannel: Bool = false
  ) throws -> Outcome {
    let keepsNewer = switchingChannel && !installer.options.allowDowngrade
    return try attempt(product) {
      try fetcher(store).fetch(product, choice, keeping: keepsNewer ? .newer : .none, for: purpose)
    }
  }

  /// Updates a product from its origin, or from `store` and `channel` if given; with `joinsRollouts` also to a release
  /// in rollout.
  func update(
    _ product: ProductIdentifier, from store: String? = nil, channel: Channel? = nil,
    joiningRollouts joinsRollouts: Bool = false
  ) throws -> Outcome {
    let request = ReleaseFetcher.UpdateRequest(
      store: store, channel: channel, appVersion: release.appVersion, joiningRollouts: joinsRollouts,
      for: purpose, languages: LanguageTag.ofUser)
    return try attempt(product) {
      try ReleaseFetcher.update(product, request, installer: installer, by: fetcher)
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
      "--header and --token-file are for one store, and the products come from \(stores.count) stores; name the products of one store"
    )
  }

  /// Limits the named keys to the stores whose catalogs they signed, if the products come from several stores: the keys
  /// of one store must not be trusted for another.
  ///
  /// - Throws: `CommandError` if all catalogs were read and the keys signed none of them.
  func assignKeys(to products: [ProductIdentifier]) throws {
    guard let named = try namedKeys() else { return }
    let origins = products.compactMap { try? ProductOrigin.of($0, in: access)?.store }
    let stores = Set(origins)
    guard stores.count > 1 else { return }
    var isUnknown = false
    var others: Set<String> = []
    for store in stores {
      do {
        let reader = try reader(of: store, at: store)
        if try reader.accepts(reader.requiredCatalog(), by: named) { continue }
      } catch {
        let error = CommandError(error, cancellation: context.cancellation, inputs: [])
        if error.status.isInterruption { throw error }
        isUnknown = true  // the products of this store report the error
      }
      others.insert(store)
    }
    guard others.count < stores.count || isUnknown else {
      throw CommandError(
        .untrustworthy,
        "none of the \(stores.count) stores has a catalog signed by the given keys, so iapkg does not record the keys; name "
          + "the products of one store")
    }
    readers.storesWithOwnKeys = others
  }

  /// Returns the findings of installed content.
  ///
  /// - Throws: `CommandError` if the content was not installed.
  private func accepted(_ result: PackageInstaller.Result) throws -> [Finding] {
    let findings = rules.unignored(result.report.findings)
    if let error = CommandError(result, path: result.report.path, offersRepair: false, findings) {
      throw error
    }
    return findings
  }

  private func fetcher(_ location: String) throws -> ReleaseFetcher {
    let absolute = try StoreLocation.absolute(location)
    return ReleaseFetcher(
      try reader(of: location, at: absolute), location: absolute,
      trusting: readers.storesWithOwnKeys.contains(absolute) ? nil : try namedKeys(),
      allowsExpired: release.allowExpired,
      installer: installer, transfers: transfers, unrecorded: unrecordedWarning)
  }

  private func namedKeys() throws -> NamedKeys? {
    try readers.keys { try release.namedKeys(context.cancellation) }
  }

  private func reader(of location: String, at absolute: String) throws -> StoreReader {
    try readers.reader(of: absolute) { try release.reader(of: location, text, context) }
  }

  /// Runs `work` for one product. An error does not stop the others, unless it is an interruption.
  private func attempt(
    _ product: ProductIdentifier, _ work: () throws -> ReleaseFetcher.Outcome
  ) throws -> Outcome {
    do {
      return try transfers.tracking(product) {
        switch try work() {
        case .fetched(let result):
          return Outcome(
            product: product, kind: .fetched(result), findings: try accepted(result.installation))
        case .planned(let plan, let refusal, let notes):
          if let refusal { _ = try accepted(refusal) }
          return Outcome(product: product, kind: .planned(plan, notes: notes))
        case .current(let current): return Outcome(product: product, kind: .current(current))
        }
      }
    } catch {
      let error = commandError(for: error)
      if error.status.isInterruption {
        transfers.cancel()
        throw CommandError(
          error.status,
          "interrupted; the installed version is unchanged, and received bytes are kept for the next run")
      }
      return Outcome(
        product: product, kind: .failed(error), findings: error.findings, meter: transfers.meter(of: product))
    }
  }

  /// Returns the exit code and message of an error. In a survey, code 1 would mean that there is a newer release.
  private func commandError(for error: any Error) -> CommandError {
    let described = CommandError(error, cancellation: context.cancellation, inputs: [])
    guard purpose == .survey, case FetchError.otherContent = error else { return described }
    return CommandError(.untrustworthy, described.message, path: described.path)
  }
}

/// The stores of a run. Each is opened once, and its catalog is read once.
private final class StoreReaders {
  private var readers: [String: StoreReader] = [:]
  private var keys: NamedKeys??
  /// The stores that keep their own keys, because the named keys did not sign their catalogs.
  var storesWithOwnKeys: Set<String> = []

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
