import ContentPackage
import Delivery
import Support

/// What `report` says of the page that it made.
struct ContentPageRendering {
  private let result: ReportWork
  private let output: String

  init(_ result: ReportWork, output: String) {
    self.result = result
    self.output = output
  }

  var document: PackageDocument {
    let review = result.review
    var document = PackageDocument(
      command: ReportCommand.reportName, path: output, product: review.productIdentifier,
      version: review.contentVersion)
    document.entries = review.items.count
    document.archiveBytes = Nullable(wrappedValue: review.source.archiveBytes)
    document.contentBytes = review.contentBytes
    document.updates = result.updates.map { $0.map(UpdateDocument.init) }
    return document
  }

  /// What GitHub shows on the page of the run. The findings are for `validate` to tell.
  func summary(_ rules: RuleOptions) -> JobSummary {
    let review = result.review
    let counted = rules.counted(result.findings, by: result.settings)
    let product = JobSummary.Table(
      ["product", "version", "package", "content", "findings"], texts: 2,
      [
        [
          review.productIdentifier?.text ?? "unknown", review.contentVersion?.text ?? "unknown",
          review.source.archiveBytes.map(Quantity.bytes) ?? "–", Quantity.bytes(review.contentBytes),
          "\(counted.total)",
        ]
      ])
    let updates = result.updates.map { updates in
      JobSummary.Table(
        ["update from", "published", "state", "download"], texts: 3,
        updates.map { update in
          let state = update.release.withdrawn.map { "withdrawn: \(String(displaying: $0.utf8))" }
          return [
            update.release.contentVersion.text, update.release.published.description, state ?? "available",
            Quantity.bytes(update.transferBytes),
          ]
        })
    }
    return JobSummary("iapkg report", [product] + [updates].compactMap(\.self), nil)
  }

  func lines(_ layout: TextLayout) -> [String] {
    let page = "\(document.path): what weighs in \(String(displaying: result.path.utf8))"
    return layout.sentence(in: [page]) + (update.map { layout.sentence(in: [$0]) } ?? [])
  }

  /// What an update from the newest release downloads.
  private var update: String? {
    guard case .store(let comparison) = result.comparison else { return nil }
    guard let newest = comparison.newest else {
      return "the store has no release of \(result.review.productIdentifier?.text ?? "it") yet"
    }
    guard comparison.isChanged else {
      return "the content is that of \(newest.contentVersion), the newest release"
    }
    return "an update from \(newest.contentVersion), the newest release, downloads "
      + Quantity.bytes(comparison.downloadBytes)
  }
}

/// What an update from a release costs.
struct UpdateDocument: Encodable {
  let contentVersion: String
  let channel: String
  let published: String
  /// Why it was withdrawn; null if it was not.
  @Nullable var withdrawn: String?
  let transferBytes: Int64

  init(_ update: StoreComparison.Update) {
    contentVersion = update.release.contentVersion.text
    channel = update.release.channel.text
    published = update.release.published.description
    _withdrawn = Nullable(wrappedValue: update.release.withdrawn.map { String(displaying: $0.utf8) })
    transferBytes = update.transferBytes
  }
}
