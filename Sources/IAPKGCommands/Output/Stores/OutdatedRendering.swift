import ContentPackage
import Delivery
import Support

/// The report of `outdated`.
struct OutdatedRendering {
  private let outcomes: [FetchWork.Outcome]

  init(_ outcomes: [FetchWork.Outcome]) { self.outcomes = outcomes }

  /// A product with a newer release, or with a release that restores its missing folder.
  private struct Newer {
    let plan: ReleaseFetcher.Plan
    let notes: NotesRendering?
  }

  private var newer: [Newer] {
    outcomes.compactMap { outcome in
      guard case .planned(let plan, let notes) = outcome.kind else { return nil }
      return Newer(plan: plan, notes: notes.map(NotesRendering.init))
    }
  }

  /// The products whose folder is missing and that no release restores.
  private var unrestorable: [CurrentProduct] {
    outcomes.compactMap { outcome in
      guard case .current(let current) = outcome.kind, current.lacksFolder else { return nil }
      return current
    }
  }

  /// The withdrawn installed versions, with the reasons.
  private var withdrawn: [OutdatedDocument.Withdrawn] {
    outcomes.compactMap { outcome in
      let found: (ContentVersion?, String?) =
        switch outcome.kind {
        case .planned(let plan, _): (plan.installedVersion, plan.withdrawn)
        case .current(let current): (current.contentVersion, current.withdrawn)
        case .fetched, .failed: (nil, nil)
        }
      guard let version = found.0, let reason = found.1 else { return nil }
      return OutdatedDocument.Withdrawn(
        productIdentifier: outcome.product.text, installedVersion: version.text,
        reason: String(displaying: reason.utf8))
    }
  }

  /// The releases in rollout that are newer than the installed or available version, but not yet for this folder.
  private var pending: [OutdatedDocument.Pending] {
    outcomes.compactMap { outcome in
      let found: (version: ContentVersion?, state: RolloutState?) =
        switch outcome.kind {
        case .planned(let plan, _): (plan.installedVersion, plan.pending)
        case .current(let current): (current.contentVersion, current.pending)
        case .fetched, .failed: (nil, nil)
        }
      return found.state.map {
        OutdatedDocument.Pending(
          productIdentifier: outcome.product.text,
          installedVersion: Nullable(wrappedValue: found.version?.text),
          contentVersion: $0.contentVersion.text, share: $0.share)
      }
    }
  }

  /// Whether a product has a newer release or lacks its folder.
  var hasOutdated: Bool { !newer.isEmpty || !unrestorable.isEmpty }

  var hasCritical: Bool { newer.contains(where: \.plan.isCritical) }

  /// Renders the products with a newer release or a missing folder.
  ///
  /// - Returns: The highest exit code of products that could not be checked.
  func render(_ report: ReportOptions, on console: Console) -> ExitStatus {
    report.render(document, on: console) { lines }
    return FailedProducts(outcomes).render(report, on: console)
  }

  private var lines: [String] {
    let failed = outcomes.contains { $0.error != nil }
    guard !outcomes.isEmpty else { return [FetchWork.noProductsMessage] }
    let reasons = withdrawn.map {
      "\($0.productIdentifier): \($0.installedVersion), which is installed, was withdrawn: \($0.reason)"
    }
    let others = pending.map {
      "\($0.productIdentifier): \($0.contentVersion) is \($0.state.reason)"
        + ($0.state > .none ? "; iapkg update --now installs it" : "")
    }
    guard hasOutdated || failed else { return ["everything is up to date"] + others + reasons }
    return newer.flatMap(Self.lines) + unrestorable.map(Self.line) + others + reasons
  }

  private static func line(_ current: CurrentProduct) -> String {
    "\(current.productIdentifier): \(current.contentVersion) is installed, but its folder is missing, and the store "
      + "offers no release that restores it"
  }

  private static func lines(_ newer: Newer) -> [String] {
    let plan = newer.plan
    let transfer = "an update transfers \(Quantity.bytes(plan.updateBytes))"
    guard plan.installedVersion != plan.contentVersion else {
      return [
        "\(plan.productIdentifier): \(plan.contentVersion) is installed, but its folder is missing; \(transfer)"
      ]
    }
    let state = (plan.isCritical ? ", critical" : "") + (plan.share.map { ", \($0.phrase)" } ?? "")
    return [
      "\(plan.productIdentifier): \(plan.installedVersion?.text ?? "none") is installed, \(plan.contentVersion) is "
        + "available\(state); \(transfer)"
    ] + (plan.metadata.shownMetadata.map { ["    metadata: \($0)"] } ?? []) + (newer.notes?.lines ?? [])
  }

  private var document: OutdatedDocument {
    OutdatedDocument(
      products: newer.map(Self.product) + unrestorable.map(Self.unrestorableProduct),
      pending: pending, withdrawn: withdrawn,
      unread: outcomes.compactMap(\.error).map(ErrorDocument.Reason.init))
  }

  private static func product(_ newer: Newer) -> OutdatedDocument.Product {
    let plan = newer.plan
    return OutdatedDocument.Product(
      productIdentifier: plan.productIdentifier.text,
      installedVersion: Nullable(wrappedValue: plan.installedVersion?.text),
      availableVersion: Nullable(wrappedValue: plan.contentVersion.text), transferBytes: plan.updateBytes,
      share: Nullable(wrappedValue: plan.share?.fraction), critical: plan.isCritical,
      notes: Nullable(wrappedValue: newer.notes?.document), metadata: plan.metadata.displayed)
  }

  private static func unrestorableProduct(_ current: CurrentProduct) -> OutdatedDocument.Product {
    OutdatedDocument.Product(
      productIdentifier: current.productIdentifier.text,
      installedVersion: Nullable(wrappedValue: current.contentVersion.text),
      availableVersion: Nullable(wrappedValue: nil), transferBytes: 0, share: Nullable(wrappedValue: nil),
      critical: false, notes: Nullable(wrappedValue: nil), metadata: [:])
  }
}

/// The JSON report of `outdated`.
struct OutdatedDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    @Nullable var installedVersion: String?
    /// The same as `installedVersion` if the folder of the product is missing; null if no release restores the folder.
    @Nullable var availableVersion: String?
    let transferBytes: Int64
    /// The share of the rollout, from 0 to 1; null if all clients may install the version.
    @Nullable var share: Double?
    let critical: Bool
    /// The notes in the user's language; null if there are none, or they cannot be read.
    @Nullable var notes: NotesDocument?
    let metadata: [String: String]
  }

  /// A release in rollout in which the folder does not take part.
  struct Pending: Encodable {
    let productIdentifier: String
    @Nullable var installedVersion: String?
    let contentVersion: String
    let share: Double
    fileprivate let state: RolloutShare

    private enum CodingKeys: CodingKey {
      case productIdentifier, installedVersion, contentVersion, share
    }

    fileprivate init(
      productIdentifier: String, installedVersion: Nullable<String>, contentVersion: String,
      share: RolloutShare
    ) {
      self.productIdentifier = productIdentifier
      _installedVersion = installedVersion
      self.contentVersion = contentVersion
      self.share = share.fraction
      state = share
    }
  }

  struct Withdrawn: Encodable {
    let productIdentifier: String
    let installedVersion: String
    let reason: String
  }

  let schemaVersion = reportSchemaVersion
  let command = "outdated"
  let products: [Product]
  let pending: [Pending]
  /// The installed versions that were withdrawn.
  let withdrawn: [Withdrawn]
  /// The errors of products that could not be checked.
  let unread: [ErrorDocument.Reason]
}
