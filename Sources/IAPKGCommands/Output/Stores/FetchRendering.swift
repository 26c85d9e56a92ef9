import ContentPackage
import Delivery
import Installation
import Support
import ZipArchive

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

  /// Renders the results of all products.
  ///
  /// - Returns: The highest exit code of their errors.
  func render(_ report: ReportOptions, showingAll: Bool, on console: Console) -> ExitStatus {
    report.render(
      outcomes.filter { $0.error == nil }.flatMap { $0.findings.about(owner($0)) }, showingAll: showingAll,
      on: console)
    report.render(document, on: console) { print in write(to: print) }
    return FailedProducts(outcomes).render(report, showingAll: showingAll, on: console)
  }

  /// Returns the product that findings name; nil if there is only one.
  private func owner(_ outcome: FetchWork.Outcome) -> String? {
    outcomes.count > 1 ? outcome.product.text : nil
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
            result.requests, path, result.installation, outcome.findings)
        case .planned(let plan, _):
          FetchDocument.Product(plan, "would-install", plan.transferBytes, 0, path)
        case .current(let current): FetchDocument.Product(current, path)
        case .failed(let error): FetchDocument.Product(outcome.product, failed: error, outcome.meter)
        }
      })
  }

  /// Prints lines for each product, and a line for each path.
  private func write(to print: (String) -> Void) {
    if outcomes.isEmpty { print(FetchWork.noProductsMessage) }
    for outcome in outcomes {
      lines(outcome).forEach(print)
      guard case .fetched(let result) = outcome.kind, !result.isUpToDate else { continue }
      result.installation.linesOfModified().forEach(print)
      result.installation.linesOfDamaged().forEach(print)
      for path in result.installation.kept { print("\(LocatedPaths.lineHead)kept: \(path)") }
    }
  }

  private func lines(_ outcome: FetchWork.Outcome) -> [String] {
    let path = DocumentsOptions.displayPath(of: outcome.product.text, in: documents)
    switch outcome.kind {
    case .failed: return []
    case .current(let current):
      let reason = current.withdrawn.map { String(displaying: $0.utf8) }
      let lower = current.availableVersion.flatMap { $0 < current.contentVersion ? $0 : nil }
      let state =
        if let lower {
          "stays installed until the channel '\(current.channel)' has a newer version than \(lower)"
        } else { "is up to date" }
      return ["\(path): \(outcome.product) \(current.contentVersion) \(state)"]
        + (current.pending.map { ["  \($0.contentVersion) is \($0.share.reason)"] } ?? [])
        + (reason.map { ["  this version was withdrawn, and nothing replaces it: \($0)"] } ?? [])
        + (reason == nil ? [] : lower.map { ["  use --allow-downgrade to install \($0)"] } ?? [])
    case .planned(let plan, _):
      return ["\(path): would install \(subject(plan)), and transfer \(Quantity.bytes(plan.transferBytes))"]
    case .fetched(let result):
      if result.isUpToDate {
        return ["\(path): \(outcome.product) \(result.plan.contentVersion) is already installed"]
      }
      let reused = result.plan.reusedBytes > 0 ? ", reused \(Quantity.bytes(result.plan.reusedBytes))" : ""
      return [
        "\(path): installed \(subject(result.plan)), transferred \(Quantity.bytes(result.transferredBytes))\(reused)"
      ] + signer(result.plan)
    }
  }

  private func subject(_ plan: ReleaseFetcher.Plan) -> String {
    let before = plan.installedVersion.map { " in place of \($0)" } ?? ""
    return "\(plan.productIdentifier) \(plan.contentVersion)\(before)"
  }

  /// Returns the signer that iapkg requires from now on, and a warning for an insecure store; empty if a key was known
  /// before.
  private func signer(_ plan: ReleaseFetcher.Plan) -> [String] {
    guard plan.isFirstContact else { return [] }
    let signature = plan.signature
    let signer = signature.keys.isEmpty ? [] : ["  \(signature.text), which is remembered"]
    return signer + (signature.warning(from: plan.store).map { ["  warning: \($0)"] } ?? [])
  }
}

/// The JSON report of `fetch` and `update`.
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
    /// The reason why `contentVersion` was withdrawn; null if it was not.
    @Nullable var withdrawn: String?
    /// Paths of files modified after installation, now in the previous version or in `.iapkg/kept`.
    let modified: Listing<String>
    /// Damaged versions that were deleted in place of older, intact versions.
    let damagedVersions: [String]
    /// Paths of kept files that iapkg did not install, or that were modified.
    let kept: Listing<String>
    let findings: [FindingDocument]
    /// The error of a failed product.
    let error: ErrorDocument.Reason?

    init(
      _ plan: ReleaseFetcher.Plan, _ outcome: String, _ transferredBytes: Int64, _ requests: Int,
      _ path: String, _ installation: PackageInstaller.Result? = nil, _ findings: [Finding] = []
    ) {
      productIdentifier = plan.productIdentifier.text
      _contentVersion = Nullable(wrappedValue: plan.contentVersion.text)
      _previousVersion = Nullable(wrappedValue: plan.installedVersion?.text)
      self.outcome = outcome
      self.transferredBytes = transferredBytes
      reusedBytes = plan.reusedBytes
      self.requests = requests
      _installedPath = Nullable(wrappedValue: path)
      _withdrawn = Nullable(wrappedValue: nil)
      modified = Listing(installation?.replacedModified ?? [], \.escaped)
      damagedVersions = installation?.damagedVersions ?? []
      kept = installation.map { Listing($0.kept, \.self) } ?? .empty
      self.findings = findings.map(FindingDocument.init)
      error = nil
    }

    init(_ current: CurrentProduct, _ path: String) {
      productIdentifier = current.productIdentifier.text
      _contentVersion = Nullable(wrappedValue: current.contentVersion.text)
      _previousVersion = Nullable(wrappedValue: current.contentVersion.text)
      outcome = "up-to-date"
      (transferredBytes, reusedBytes, requests) = (current.meter.bytes, 0, current.meter.requests)
      _installedPath = Nullable(wrappedValue: path)
      _withdrawn = Nullable(wrappedValue: current.withdrawn.map { String(displaying: $0.utf8) })
      (modified, damagedVersions, kept, findings) = (.empty, [], .empty, [])
      error = nil
    }

    init(_ product: ProductIdentifier, failed error: CommandError, _ meter: TransferMeter?) {
      productIdentifier = product.text
      _contentVersion = Nullable(wrappedValue: nil)
      _previousVersion = Nullable(wrappedValue: nil)
      outcome = "failed"
      (transferredBytes, reusedBytes, requests) = (meter?.bytes ?? 0, 0, meter?.requests ?? 0)
      _installedPath = Nullable(wrappedValue: nil)
      _withdrawn = Nullable(wrappedValue: nil)
      (modified, damagedVersions, kept) = (.empty, [], .empty)
      findings = error.findings.map(FindingDocument.init)
      self.error = ErrorDocument.Reason(error)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command: String
  let products: [Product]
}
