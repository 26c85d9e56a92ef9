import ContentPackage
import Delivery

/// The report of `outdated`.
struct OutdatedRendering {
  private let outcomes: [FetchWork.Outcome]

  init(_ outcomes: [FetchWork.Outcome]) { self.outcomes = outcomes }

  /// The products of which there is a newer release.
  private var newer: [ReleaseFetcher.Plan] {
    outcomes.compactMap { if case .planned(let plan) = $0.kind { plan } else { nil } }
  }

  var hasNewer: Bool { !newer.isEmpty }

  /// Renders which products have a newer release.
  ///
  /// - Returns: the status of the worst product that could not be looked at.
  func render(_ report: ReportOptions, on console: Console) -> ExitStatus {
    report.render(document, on: console) { lines }
    return FailedProducts(outcomes).render(report, on: console)
  }

  private var lines: [String] {
    let failed = outcomes.contains { $0.error != nil }
    guard !outcomes.isEmpty else { return ["no product here was fetched from a store"] }
    guard hasNewer || failed else { return ["everything is up to date"] }
    return newer.map { plan in
      "\(plan.productIdentifier): \(plan.installedVersion?.text ?? "none") is installed, \(plan.contentVersion) is "
        + "available; an update transfers \(Quantity.bytes(plan.updateBytes))"
    }
  }

  private var document: OutdatedDocument {
    OutdatedDocument(
      products: newer.map { plan in
        OutdatedDocument.Product(
          productIdentifier: plan.productIdentifier.text,
          installedVersion: Nullable(wrappedValue: plan.installedVersion?.text),
          availableVersion: plan.contentVersion.text, transferBytes: plan.updateBytes)
      },
      unread: outcomes.compactMap(\.error).map(ErrorDocument.Reason.init))
  }
}

/// What `outdated` writes.
struct OutdatedDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    @Nullable var installedVersion: String?
    let availableVersion: String
    let transferBytes: Int64
  }

  let schemaVersion = reportSchemaVersion
  let command = "outdated"
  let products: [Product]
  /// Why other products could not be looked at.
  let unread: [ErrorDocument.Reason]
}
