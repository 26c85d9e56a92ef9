import ContentPackage
import Support

/// The overview page of `report` for several packages and content folders.
struct OverviewPage {
  private let results: [Result<ReportSummary, CommandError>]

  private var summaries: [ReportSummary] { results.compactMap { try? $0.get() } }

  init(_ results: [Result<ReportSummary, CommandError>]) { self.results = results }

  func write(to print: (String) throws -> Void) throws {
    let data = Data(
      products: summaries.map(Row.init),
      unread: results.compactMap { result in
        guard case .failure(let error) = result else { return nil }
        return ErrorDocument.Reason(error)
      })
    try print(page.start + HTMLPage.embedded(Console.line(json: data)) + page.end)
  }

  private var page: HTMLPage {
    let summaries = summaries
    let package = summaries.compactMap(\.archiveBytes).reduce(0, +)
    let updates = summaries.compactMap(\.updateBytes)
    let count = { (severity: Finding.Severity) in summaries.reduce(0) { $0 + ($1.counts[severity] ?? 0) } }
    let total = ("All updates", Quantity.bytes(updates.reduce(0, +)))
    let leftOut = summaries.reduce(into: ExcludedItems()) { $0 += $1.leftOut }
    return HTMLPage(
      title: "iapkg report", heading: Quantity.count(summaries.count, "product"),
      facts: [
        ("All packages", Quantity.bytes(package)),
        ("All content", Quantity.bytes(summaries.reduce(0) { $0 + $1.contentBytes })),
      ] + (updates.isEmpty ? [] : [total]) + [
        ("Errors", "\(count(.error))"), ("Warnings", "\(count(.warning))"),
      ] + (leftOut.isEmpty ? [] : [("Excluded", Quantity.excluded(leftOut))]),
      script: PageResource.overview)
  }

  private struct Data: Encodable {
    let products: [Row]
    let unread: [ErrorDocument.Reason]
  }

  private struct Row: Encodable {
    let name: String
    let version: String
    /// The file name of the product's page in the same folder.
    let page: String?
    let packageBytes: Int64?
    let contentBytes: Int64
    let errors: Int
    let warnings: Int
    let findings: String
    let isCompared: Bool
    let oldVersion: String?
    let updateBytes: Int64?

    init(_ summary: ReportSummary) {
      name = summary.product
      version = summary.version
      page = summary.pageName
      packageBytes = summary.archiveBytes
      contentBytes = summary.contentBytes
      errors = summary.counts[.error] ?? 0
      warnings = summary.counts[.warning] ?? 0
      findings = summary.findingText
      isCompared = summary.isCompared
      oldVersion = summary.oldVersion?.text
      updateBytes = summary.updateBytes
    }
  }
}
