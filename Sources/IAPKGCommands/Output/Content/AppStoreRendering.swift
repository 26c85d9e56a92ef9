import ContentPackage
import Conversion
import Support

/// The report of `import --from-app-store-connect`.
struct AppStoreRendering {
  private let outcomes: [AppStoreImport.Outcome]
  private let command: ImportCommand

  init(_ outcomes: [AppStoreImport.Outcome], of command: ImportCommand) {
    self.outcomes = outcomes
    self.command = command
  }

  /// Renders the results of all in-app purchases.
  ///
  /// - Returns: The highest exit code of their errors.
  func render(on console: Console) -> ExitStatus {
    let report = command.report
    for outcome in outcomes {
      switch outcome.kind {
      case .converted(let made):
        report.render(
          made.package.findings.about("\(outcome.product)"), showingAll: command.rules.all, on: console)
        guard report.format == .text, !report.quiet else { continue }
        for note in ImportRendering(made).notes {
          report.text.note("\(outcome.product): \(note)", on: console)
        }
      case .failed(let error):
        report.render(error.findings.about("\(outcome.product)"), showingAll: command.rules.all, on: console)
      case .convertedBefore, .noContent, .planned: continue
      }
    }
    report.render(document, on: console) { lines }
    let errors = outcomes.compactMap(\.error)
    // If the table is printed, it includes the errors.
    if report.format != .text || report.quiet {
      for error in errors { report.printError(error, on: console) }
    }
    return .highest(of: errors)
  }

  private var document: HostedContentDocument {
    HostedContentDocument(results: outcomes.map(HostedContentDocument.Product.init))
  }

  /// A table of the results and a summary line.
  private var lines: [String] {
    let rows = outcomes.map { ($0.product, Self.label(for: $0), Self.detail(of: $0)) }
    let (first, second) = (rows.map { TextLayout.width(of: $0.0) }.max() ?? 0, rows.map(\.1.count).max() ?? 0)
    let table = rows.map { product, label, detail in
      let gaps = (first - TextLayout.width(of: product), second - label.count)
      let head = product + String(repeating: " ", count: gaps.0 + 2) + label
      return detail.isEmpty ? head : head + String(repeating: " ", count: gaps.1 + 2) + detail
    }
    return table + [summary]
  }

  private var summary: String {
    var counts: [(label: String, count: Int)] = []
    for label in outcomes.map(Self.label) {
      if let index = counts.firstIndex(where: { $0.label == label }) {
        counts[index].count += 1
      } else {
        counts.append((label, 1))
      }
    }
    let parts = counts.map { "\($0.count) \($0.label)" }
    return "\(Quantity.count(outcomes.count, "in-app purchase"))\(parts.isEmpty ? "" : ": ")"
      + parts.joined(separator: ", ")
  }

  private static func label(for outcome: AppStoreImport.Outcome) -> String {
    switch outcome.kind {
    case .converted: "converted"
    case .convertedBefore: "converted before"
    case .noContent: "without content"
    case .planned: "hosted"
    case .failed: "failed"
    }
  }

  private static func detail(of outcome: AppStoreImport.Outcome) -> String {
    switch outcome.kind {
    case .converted(let made): ImportRendering(made).line
    case .convertedBefore(let path): String(displaying: path.utf8)
    case .noContent: ""
    case .planned:
      [
        outcome.content?.fileSize.map(Quantity.bytes), outcome.content?.fileName,
        outcome.content?.lastModifiedDate,
      ].compactMap { $0.map { String(displaying: $0.utf8) } }.joined(separator: ", ")
    case .failed(let error): error.message
    }
  }
}

/// The JSON report of `import --from-app-store-connect`.
struct HostedContentDocument: ReportDocument {
  struct Product: Encodable {
    let productIdentifier: String
    /// `converted`, `converted-before`, `no-content`, `failed`, or with `--dry-run` `would-convert`.
    let outcome: String
    @Nullable var path: String?
    @Nullable var contentVersion: String?
    @Nullable var entries: Int?
    @Nullable var contentBytes: Int64?
    /// The file's properties in App Store Connect.
    @Nullable var fileName: String?
    @Nullable var fileSize: Int64?
    @Nullable var lastModifiedDate: String?
    let dropped: [String]
    let changed: [String]
    let findings: [FindingDocument]
    /// The error of a failed purchase.
    let error: ErrorDocument.Reason?

    init(_ outcome: AppStoreImport.Outcome) {
      productIdentifier = outcome.product
      let content = outcome.content
      _fileName = Nullable(wrappedValue: content?.fileName.map { String(displaying: $0.utf8) })
      _fileSize = Nullable(wrappedValue: content?.fileSize)
      _lastModifiedDate = Nullable(
        wrappedValue: content?.lastModifiedDate.map { String(displaying: $0.utf8) })
      var made: PackageDocument?
      var existingPath: String?
      switch outcome.kind {
      case .converted(let package):
        self.outcome = "converted"
        made = ImportRendering(package).document
      case .convertedBefore(let path):
        self.outcome = "converted-before"
        existingPath = String(displaying: path.utf8)
      case .noContent: self.outcome = "no-content"
      case .planned: self.outcome = "would-convert"
      case .failed: self.outcome = "failed"
      }
      _path = Nullable(wrappedValue: made?.path ?? existingPath)
      _contentVersion = Nullable(wrappedValue: made?.contentVersion)
      _entries = Nullable(wrappedValue: made?.entries)
      _contentBytes = Nullable(wrappedValue: made?.contentBytes)
      (dropped, changed) = (made?.dropped ?? [], made?.changed ?? [])
      findings = made?.findings ?? outcome.error?.findings.map(FindingDocument.init) ?? []
      error = outcome.error.map(ErrorDocument.Reason.init)
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = ImportCommand.reportName
  let results: [Product]
}
