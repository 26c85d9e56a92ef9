import ContentPackage
import Delivery
import Installation
import Support

/// The report of `fetch` and `update`.
struct FetchRendering {
  private let outcomes: [FetchWork.Outcome]
  private let command: String
  private let documents: String

  init(_ outcomes: [FetchWork.Outcome], command: String, into documents: String) {
    self.outcomes = outcomes
    self.command = command
    self.documents = documents
  }

  /// Renders what became of the products.
  ///
  /// - Returns: the status of the worst.
  func render(_ report: ReportOptions, on console: Console) -> ExitStatus {
    report.render(outcomes.filter { $0.failure == nil }.flatMap(\.findings), on: console)
    report.render(document, on: console) { lines }
    return FailedProducts(outcomes).render(report, on: console)
  }

  private var document: FetchDocument {
    FetchDocument(
      command: command,
      products: outcomes.map { outcome in
        let path = DocumentsOptions.displayPath(of: outcome.product.text, in: documents)
        return switch outcome.kind {
        case .fetched(let result):
          FetchDocument.Product(
            result.plan, result.isUpToDate ? "up-to-date" : "installed", result.transferredBytes,
            result.requests,
            path)
        case .planned(let plan):
          FetchDocument.Product(plan, "would-install", plan.transferBytes, 0, path)
        case .current(let plan):
          FetchDocument.Product(plan, "up-to-date", plan.meter.bytes, plan.meter.requests, path)
        case .failed(let failure): FetchDocument.Product(outcome.product, failed: failure)
        }
      })
  }

  private var lines: [String] { outcomes.flatMap(lines) }

  private func lines(_ outcome: FetchWork.Outcome) -> [String] {
    let path = DocumentsOptions.displayPath(of: outcome.product.text, in: documents)
    switch outcome.kind {
    case .failed: return []
    case .current(let plan):
      return ["\(path): \(outcome.product) \(plan.installedVersion?.text ?? "") is up to date"]
    case .planned(let plan):
      return ["\(path): would install \(subject(plan)), and transfer \(Quantity.bytes(plan.transferBytes))"]
    case .fetched(let result):
      if result.isUpToDate {
        return ["\(path): \(outcome.product) \(result.plan.contentVersion) is already installed"]
      }
      let reused = result.plan.reusedBytes > 0 ? ", reused \(Quantity.bytes(result.plan.reusedBytes))" : ""
      return [
        "\(path): installed \(subject(result.plan)), transferred \(Quantity.bytes(result.transferredBytes))\(reused)"
      ] + signer(result.plan)
        + result.installation.kept.map { "  not installed by iapkg, and kept: \($0)" }
    }
  }

  private func subject(_ plan: ReleaseFetcher.Plan) -> String {
    let before = plan.installedVersion.map { " in place of \($0)" } ?? ""
    return "\(plan.productIdentifier) \(plan.contentVersion)\(before)"
  }

  /// Whom the product will be taken from from now on, where nobody said so.
  private func signer(_ plan: ReleaseFetcher.Plan) -> [String] {
    guard plan.isFirstContact else { return [] }
    let signer = plan.origin.signer
    if let signer { return ["  signed by \(signer), which is remembered"] }
    let isOpen = plan.origin.store.hasPrefix("http://")
    return [
      "  warning: the catalog is not signed\(isOpen ? ", and the connection is not encrypted" : "")"
        + "; whoever can change the store or the connection can change the content"
    ]
  }
}

/// What `fetch` and `update` write.
struct FetchDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    @Nullable var contentVersion: String?
    @Nullable var previousVersion: String?
    /// `installed`, `up-to-date`, `failed`, or with `--dry-run` `would-install`.
    let outcome: String
    let transferredBytes: Int64
    let reusedBytes: Int64
    let requests: Int
    @Nullable var installedPath: String?
    /// Why it failed.
    let error: ErrorDocument.Reason?

    init(
      _ plan: ReleaseFetcher.Plan, _ outcome: String, _ transferredBytes: Int64, _ requests: Int,
      _ path: String
    ) {
      productIdentifier = plan.productIdentifier.text
      _contentVersion = Nullable(wrappedValue: plan.contentVersion.text)
      _previousVersion = Nullable(wrappedValue: plan.installedVersion?.text)
      self.outcome = outcome
      self.transferredBytes = transferredBytes
      reusedBytes = plan.reusedBytes
      self.requests = requests
      _installedPath = Nullable(wrappedValue: path)
      error = nil
    }

    init(_ product: ProductIdentifier, failed failure: CommandFailure) {
      productIdentifier = product.text
      _contentVersion = Nullable(wrappedValue: nil)
      _previousVersion = Nullable(wrappedValue: nil)
      outcome = "failed"
      (transferredBytes, reusedBytes, requests) = (0, 0, 0)
      _installedPath = Nullable(wrappedValue: nil)
      error = ErrorDocument.Reason(failure)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command: String
  let products: [Product]
}
