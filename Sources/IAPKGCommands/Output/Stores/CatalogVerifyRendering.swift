import ContentPackage
import Delivery
import Support

/// The report of `catalog verify`.
struct CatalogVerifyRendering {
  private let report: StoreVerifier.Report
  private let store: String
  private let now = Timestamp.now

  /// The exit code. Problems have priority over an expired catalog or trust document.
  var status: ExitStatus { report.problems.isEmpty && isExpired ? .invalid : report.problems.status }

  /// Whether the catalog or the trust document has expired, which stops new installations.
  private var isExpired: Bool { isCatalogExpired || isTrustExpired }
  private var isCatalogExpired: Bool { report.current.catalog.expires.map { $0 <= now } ?? false }
  private var isTrustExpired: Bool { report.trust?.expires.map { $0 <= now } ?? false }

  init(_ report: StoreVerifier.Report, store: String) {
    self.report = report
    self.store = DisplayedStore.name(store)
  }

  var document: CatalogVerifyDocument {
    CatalogVerifyDocument(
      store: store, intact: report.problems.isEmpty && !isExpired, sequence: report.current.catalog.sequence,
      published: report.current.catalog.published.description,
      expires: Nullable(wrappedValue: report.current.catalog.expires?.description), expired: isExpired,
      signedBy: Nullable(wrappedValue: report.signature.signedBy),
      trustDocuments: report.trust?.version ?? 0, products: report.products,
      releases: report.releases,
      problems: report.problems.map(StoreProblemDocument.init))
  }

  /// The problems and the expiry, one sentence each.
  var problems: [String] {
    var found =
      report.problems.map(\.advisedMessage)
      + (report.isIncomplete ? ["the store stopped responding, so the other objects were not checked"] : [])
    if isCatalogExpired, let expires = report.current.catalog.expires {
      found.append(
        "the catalog expired at \(expires), which stops new installations; iapkg catalog renew makes a new one"
      )
    }
    if isTrustExpired, let trust = report.trust, let expires = trust.expires {
      found.append(
        "trust document \(trust.version) expired at \(expires), which stops new installations; iapkg trust "
          + "threshold --expires makes a new one")
    }
    return found
  }

  var lines: [String] {
    let verdict =
      report.problems.isEmpty
      ? (isExpired ? "expired" : "intact") : Quantity.count(report.problems.count, "problem")
    let expires =
      report.current.catalog.expires.map { ", \(isCatalogExpired ? "expired" : "expires") \($0)" } ?? ""
    let trust = report.trust.map { ", \(Quantity.count(Int($0.version), "trust document"))" } ?? ""
    return [
      "\(store): \(verdict), catalog \(report.current.catalog.sequence)\(expires), \(report.signature.text)\(trust), "
        + "\(Quantity.count(report.products, "product")), \(Quantity.count(report.releases, "release"))"
    ]
  }
}

/// A problem of a store in JSON reports.
struct StoreProblemDocument: Encodable {
  let path: String
  let message: String
  /// Whether the object is missing; otherwise it is damaged, wrong or unreadable.
  let missing: Bool

  init(_ problem: StoreVerifier.Problem) {
    (path, message, missing) = (problem.place, problem.advisedMessage, problem.isMissing)
  }
}

extension StoreVerifier.Problem {
  /// The message with advice that names commands.
  var advisedMessage: String { message.with((error as? StoreError)?.advice) }
}

extension [StoreVerifier.Problem] {
  /// The exit code. Wrong objects have priority over unreadable objects, and unreadable objects over missing objects.
  fileprivate var status: ExitStatus {
    let unreadable = filter { !$0.isMissing }.compactMap { CommandError(delivery: $0.error) }
    if unreadable.contains(where: { $0.status == .untrustworthy }) { return .untrustworthy }
    if !unreadable.isEmpty { return .highest(of: unreadable) }
    return isEmpty ? .success : .unavailable
  }
}

/// The JSON report of `catalog verify`.
struct CatalogVerifyDocument: ReportDocument {
  let schemaVersion = reportSchemaVersion
  let command = CatalogVerifyCommand.reportName
  let store: String
  /// Whether there are no problems, and neither the catalog nor the trust document has expired.
  let intact: Bool
  let sequence: Int64
  let published: String
  @Nullable var expires: String?
  let expired: Bool
  @Nullable var signedBy: String?
  /// The number of trust documents; 0 for a store with a single key.
  let trustDocuments: Int64
  let products: Int
  let releases: Int
  let problems: [StoreProblemDocument]
}

/// The report of `catalog prune`.
struct CatalogPruneRendering {
  private let report: StorePruner.Report
  private let store: String
  private let isDryRun: Bool

  init(_ report: StorePruner.Report, store: String, isDryRun: Bool) {
    self.report = report
    self.store = DisplayedStore.name(store)
    self.isDryRun = isDryRun
  }

  private var bytes: Int64 { report.items.reduce(0) { $0 + $1.byteCount } }

  private var kept: String {
    report.keptObjects == 0
      ? ""
      : "; \(Quantity.count(report.keptObjects, "object")) of removed releases can be deleted by a later run"
  }

  var document: CatalogPruneDocument {
    CatalogPruneDocument(
      store: store, dryRun: isDryRun, sequence: report.sequence,
      releases: report.releases.map(CatalogPruneDocument.Release.init),
      deleted: report.items.map { String(displaying: $0.path.utf8) }, deletedBytes: bytes,
      keptObjects: report.keptObjects, lost: report.lost.map(CatalogPruneDocument.Release.init),
      problems: report.problems.map(StoreProblemDocument.init))
  }

  /// The exit code.
  var status: ExitStatus { report.problems.status }

  /// The problems, one sentence each.
  var problems: [String] {
    report.problems.map { "\($0.message); nothing of its product was deleted" }
  }

  var lines: [String] {
    let (removed, deleted) = isDryRun ? ("would be removed", "would be deleted") : ("removed", "deleted")
    return report.releases.map { "\($0.product) \($0.version): \(removed) from the catalog" }
      + report.lost.map {
        "\($0.product) \($0.version): not in the catalog; its files stay until it is published again"
      }
      + report.items.map { "  \(String(displaying: $0.path.utf8))" }
      + [
        "\(store): \(Quantity.count(report.items.count, "object")) \(deleted), \(Quantity.bytes(bytes))\(kept)"
      ]
  }
}

/// The JSON report of `catalog prune`.
struct CatalogPruneDocument: ReportDocument {
  struct Release: Encodable {
    let productIdentifier: String
    let contentVersion: String

    init(product: ProductIdentifier, version: ContentVersion) {
      productIdentifier = product.text
      contentVersion = version.text
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = CatalogPruneCommand.reportName
  let store: String
  let dryRun: Bool
  let sequence: Int64
  /// The releases removed from the catalog.
  let releases: [Release]
  /// The paths of the deleted objects.
  let deleted: [String]
  let deletedBytes: Int64
  /// The number of objects of the removed releases, which stay until a later run.
  let keptObjects: Int
  /// The releases that the key remembers as lost, and whose objects stay.
  let lost: [Release]
  /// The missing or damaged release lists.
  let problems: [StoreProblemDocument]
}
