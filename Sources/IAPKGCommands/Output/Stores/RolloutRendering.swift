import ContentPackage
import Delivery
import Support

/// The report of `rollout`.
struct RolloutRendering {
  private let result: ReleaseEditor.Result
  private let product: ProductIdentifier
  private let store: String
  private let isDryRun: Bool

  init(_ result: ReleaseEditor.Result, _ product: ProductIdentifier, store: String, isDryRun: Bool) {
    self.result = result
    self.product = product
    self.store = DisplayedStore.name(store)
    self.isDryRun = isDryRun
  }

  var document: RolloutDocument {
    RolloutDocument(
      store: store, sequence: result.sequence, productIdentifier: product.text,
      contentVersion: result.release.contentVersion.text,
      outcome: result.isChanged ? (isDryRun ? "would-change" : "changed") : "unchanged",
      rollout: Nullable(wrappedValue: result.release.rollout.map(RolloutDocument.Rollout.init)))
  }

  var lines: [String] {
    let state = result.release.rollout?.phrase ?? "for all clients"
    let already = result.isChanged ? "" : " already"
    let would = result.isChanged && isDryRun ? "would be " : ""
    return [
      "\(product) \(result.release.contentVersion): \(would)\(state)\(already), catalog \(result.sequence)"
    ]
  }
}

/// The JSON report of `rollout`.
struct RolloutDocument: ReportDocument {
  /// The rollout of a release.
  struct Rollout: Encodable {
    /// The share at the beginning, from 0 to 1.
    let share: Double
    let since: String
    @Nullable var until: String?

    init(_ rollout: Delivery.Rollout) {
      share = rollout.share.fraction
      since = rollout.since.description
      _until = Nullable(wrappedValue: rollout.until?.description)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = "rollout"
  let store: String
  /// The sequence number of the catalog; with `--dry-run`, that of the current catalog.
  let sequence: Int64
  let productIdentifier: String
  let contentVersion: String
  /// `changed`, `unchanged`, or with `--dry-run` `would-change`.
  let outcome: String
  /// Null if all clients may install the release.
  @Nullable var rollout: Rollout?
}

extension Rollout {
  /// The description of a release with this rollout.
  var phrase: String { phrase(with: share) }

  /// Returns the description of a release whose rollout has reached a share.
  func phrase(with share: RolloutShare) -> String {
    share.phrase + (until.map { ", complete at \($0)" } ?? (share == .none ? ", paused" : ""))
  }
}

extension RolloutShare {
  /// The description of a release with this share.
  var phrase: String { "in rollout (\(percentage))" }

  /// The description of a release with this share, which a folder does not get yet.
  var reason: String {
    self == .none
      ? "\(phrase), paused until the publisher resumes it with iapkg rollout"
      : "\(phrase), and not yet for this folder"
  }
}
