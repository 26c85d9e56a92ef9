import ContentPackage
import Delivery
import Support

/// The report of `report` on its pages.
struct ReportRendering {
  private let series: ReportSeries

  init(_ series: ReportSeries) { self.series = series }

  /// Renders the summaries of all inputs.
  ///
  /// - Returns: The highest exit code of the errors; without errors, the exit code of the job summary.
  func render(_ report: PageReportOptions, on console: Console) -> ExitStatus {
    if report.reportFormat == .markdown {
      if series.output == nil { console.print(String(series.markdown.drop { $0 == "\n" }.dropLast())) }
    } else if !series.isList, let summary = series.summaries.first {
      report.render(document(summary), besides: series.output, on: console) { lines(summary) }
    } else {
      let results: [SeriesDocument<PackageDocument>.Result] = series.results.map { result in
        switch result {
        case .success(let summary): .done(document(summary))
        case .failure(let error): .failed(ErrorDocument(error, command: ReportCommand.reportName))
        }
      }
      report.render(
        SeriesDocument(command: ReportCommand.reportName, results: results), besides: series.output,
        on: console
      ) {
        series.summaries.flatMap(line) + overviewLine
      }
    }
    for error in series.errors {
      report.render(error.findings, on: console)
      report.printError(error, on: console)
    }
    let appended = jobSummary.append(as: report, on: console)
    return series.errors.isEmpty ? appended : .highest(of: series.errors)
  }

  private func document(_ summary: ReportSummary) -> PackageDocument {
    let page = summary.pageName.flatMap { name in series.output.map { "\($0)\(name)" } } ?? series.output
    var document = PackageDocument(
      command: ReportCommand.reportName, path: page ?? summary.path, product: summary.productIdentifier,
      version: summary.contentVersion)
    document.entries = summary.entries
    document.archiveBytes = Nullable(wrappedValue: summary.archiveBytes)
    document.contentBytes = summary.contentBytes
    document.leftOut = LeftOutDocument(summary.leftOut)
    document.updates = summary.updates.map { $0.map(UpdateDocument.init) }
    if summary.isCompared {
      document.previousVersion = Nullable(wrappedValue: summary.oldVersion?.text)
      document.updateBytes = Nullable(wrappedValue: summary.updateBytes)
    }
    return document
  }

  /// Returns the lines about a single input.
  private func lines(_ summary: ReportSummary) -> [String] {
    let layout = TextLayout(for: .output)
    let page =
      "Wrote \(displayed(series.mainPage ?? "")) (size report\(Quantity.exclusionEnding(summary.leftOut)))"
    return layout.sentence(in: [page]) + (summary.updateText.map { layout.sentence(in: [$0]) } ?? [])
  }

  /// Returns the line about one of several inputs.
  private func line(_ summary: ReportSummary) -> [String] {
    let size = summary.archiveBytes.map(Quantity.bytes) ?? Quantity.bytes(summary.contentBytes)
    let findings = summary.findingCount > 0 ? ", \(summary.findingText)" : ""
    let update = summary.updateText.map { "; \($0)" } ?? ""
    return TextLayout(for: .output).sentence(in: [
      "\(summary.product) \(summary.version): \(size)\(Quantity.exclusionEnding(summary.leftOut))\(findings)\(update)"
    ])
  }

  private var overviewLine: [String] {
    series.mainPage.map {
      ["Wrote \(displayed($0)) (overview of \(Quantity.count(series.summaries.count, "product")))"]
    } ?? []
  }

  private func displayed(_ text: String) -> String { String(displaying: text.utf8) }

  /// The summaries as tables, for a workflow run or a pull request. They only count findings; `validate` lists them.
  var jobSummary: JobSummary {
    let summaries = series.summaries
    let isCompared = summaries.contains(where: \.isCompared)
    let head =
      ["product", "version", "findings", "package", "content"]
      + (isCompared ? ["update from", "download"] : [])
    let rows = summaries.map { summary -> [String] in
      [
        summary.product, summary.version, summary.findingText,
        summary.archiveBytes.map(Quantity.bytes) ?? "–",
        Quantity.bytes(summary.contentBytes),
      ]
        + (isCompared
          ? [summary.oldVersion?.text ?? "–", summary.updateBytes.map(Quantity.bytes) ?? "–"] : [])
    }
    let failed = series.errors.map { [$0.path ?? "", $0.message] }
    let unreadable =
      failed.isEmpty ? nil : JobSummary.Table(["unreadable input", "reason"], textColumnCount: 2, failed)
    return JobSummary(
      "iapkg report",
      [JobSummary.Table(head, textColumnCount: 3, rows), updates, unreadable].compactMap(\.self), nil)
  }

  /// The download sizes of updates from each release, for a single product.
  private var updates: JobSummary.Table? {
    guard !series.isList, let updates = series.summaries.first?.updates else { return nil }
    return JobSummary.Table(
      ["update from", "published", "state", "download"], textColumnCount: 3,
      updates.map { update in
        let state = update.release.withdrawn.map { "withdrawn: \(displayed($0))" }
        return [
          update.release.contentVersion.text, update.release.published.description, state ?? "available",
          Quantity.bytes(update.transferBytes),
        ]
      })
  }
}

/// The download size of an update from one release.
struct UpdateDocument: Encodable {
  let contentVersion: String
  let channel: String
  let published: String
  /// The reason for the withdrawal; null if the release is not withdrawn.
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
