import ContentPackage
import Delivery
import Support
import ZipArchive

/// The report of `release`.
struct ReleaseRendering {
  private let work: ReleaseWork
  /// The store, as given and for display.
  private let (storePath, store): (String, String)
  private let isDryRun: Bool
  private let rules: RuleOptions

  init(_ work: ReleaseWork, store: String, isDryRun: Bool, rules: RuleOptions) {
    self.work = work
    (storePath, self.store) = (store, DisplayedStore.name(store))
    self.isDryRun = isDryRun
    self.rules = rules
  }

  /// Renders the results of all folders.
  ///
  /// - Returns: The highest exit code of the errors; without errors, the exit code of the job summary.
  func render(_ report: WorkflowReportOptions, on console: Console) -> ExitStatus {
    report.render(findings, showingAll: rules.all, on: console)
    suppressed.warn(report, on: console)
    if !report.quiet {
      for note in work.outcomes.compactMap(Self.note) { report.text.note(note, on: console) }
    }
    let style = report.text.style(for: .output)
    report.render(document, on: console) { (isDryRun ? table(style) + unchangedLines : lines) + total }
    let errors = work.outcomes.compactMap(Self.error)
    for error in errors {
      report.render(error.findings, showingAll: rules.all, on: console)
      report.printError(error, on: console)
    }
    if report.reportFormat == .github { gitHubReport.lines.forEach(console.print) }
    let appended = jobSummary.append(as: report, outside: storePath, on: console)
    return errors.isEmpty ? appended : .highest(of: errors)
  }

  private var gitHubReport: GitHubReport {
    GitHubReport(
      work.outcomes.map {
        GitHubReport.Input(
          path: $0.folder, kind: .folder, findings: $0.findings + (Self.error($0)?.findings ?? []))
      }, errors: work.outcomes.compactMap(Self.error), rules: rules)
  }

  /// The summary on the page of the GitHub workflow run.
  private var jobSummary: JobSummary {
    let rows = work.outcomes.filter { !isUnchanged($0) }.map { outcome in
      let row = row(outcome)
      return Array(row[..<3]) + [product(outcome).outcome] + row[3...]
    }
    let head = ["product", "published", "new version", "result", "changed files", "update"]
    let change = [work.sequence.map { "catalog \($0) of \(store)" }, total.first].compactMap(\.self)
    return JobSummary(
      "iapkg release", note: change.joined(separator: ", "),
      [JobSummary.Table(head, textColumnCount: 4, rows)],
      gitHubReport)
  }

  private var findings: [Finding] { work.outcomes.flatMap(\.findings) }

  private var suppressed: SuppressedErrors {
    work.outcomes.reduce(into: SuppressedErrors()) { $0 += $1.suppressed }
  }

  private static func error(_ outcome: ReleaseWork.Outcome) -> CommandError? {
    switch outcome.result {
    case .failure(let error): return error
    case .success(let release):
      guard case .notRaised(let finding) = release.outcome else { return nil }
      return CommandError(
        .invalid, "\(String(displaying: release.folder.utf8)) was not released", path: release.folder,
        findings: [
          finding.rule == .versionNotRaised
            ? finding.with(remedy: "\(finding.remedy), or use --bump") : finding
        ])
    }
  }

  /// Returns a note on empty folders of the newest release that a folder lacks: a clone of a Git repository has none.
  private static func note(_ outcome: ReleaseWork.Outcome) -> String? {
    guard let changes = outcome.release?.changes, let folder = changes.removedFolder else { return nil }
    let name = "\(String(displaying: outcome.folder.utf8)): \(folder.escaped)"
    let others = changes.removedFolderCount - 1
    return others == 0
      ? "\(name) is missing: an empty folder, which Git does not keep"
      : "\(name) and \(others) more are missing: empty folders, which Git does not keep"
  }

  private var document: ReleaseDocument {
    ReleaseDocument(
      store: store, sequence: Nullable(wrappedValue: work.sequence), published: work.outcomes.map(product),
      findings: (findings + work.outcomes.compactMap(Self.error).flatMap(\.findings)).map(
        FindingDocument.init),
      ignored: suppressed.documents,
      skippedSettings: work.skippedSettings.skippedFiles)
  }

  private func product(_ outcome: ReleaseWork.Outcome) -> ReleaseDocument.Product {
    var product = ReleaseDocument.Product(folder: String(displaying: outcome.folder.utf8))
    product.error = Self.error(outcome).map(ErrorDocument.Reason.init)
    guard let release = outcome.release else { return product }
    product.productIdentifier = release.info.productIdentifier.text
    product.contentVersion = release.info.contentVersion.text
    product.previousVersion = release.newest?.contentVersion.text
    product.leftOut = LeftOutDocument(release.leftOut)
    product.changes = release.changes.map {
      ReleaseDocument.Changes(added: $0.addedCount, removed: $0.removedCount, changed: $0.changedCount)
    }
    switch release.outcome {
    case .unchanged(let newest):
      product.outcome = "unchanged"
      product.contentVersion = newest.contentVersion.text
      if release.info.contentVersion != newest.contentVersion {
        product.folderVersion = release.info.contentVersion.text
      }
      product.path = newest.package.path.text
    case .notRaised:
      product.outcome = "not-raised"
    case .published(let publication):
      product.outcome =
        isDryRun && publication.outcome == .published ? "would-publish" : publication.outcome.rawValue
      product.contentVersion = publication.package.info.contentVersion.text
      product.raisedFrom = release.raisedVersion == nil ? nil : release.info.contentVersion.text
      product.path = publication.path.text
      product.uploadedBytes = publication.uploadedBytes
      product.restored = publication.restored.map(\.text)
      product.updateBytes = publication.updateBytes
      product.rollout = publication.rollout.map(RolloutDocument.Rollout.init)
    }
    return product
  }
}

// MARK: - Text

extension ReleaseRendering {
  private var lines: [String] { work.outcomes.compactMap { $0.release.flatMap(line) } }

  /// The lines about unchanged folders whose version differs from that of the newest release.
  private var unchangedLines: [String] {
    work.outcomes.filter(isUnchanged).compactMap { $0.release.flatMap(line) }
  }

  private func line(_ release: FolderRelease) -> String? {
    let product = release.info.productIdentifier
    switch release.outcome {
    case .unchanged(let newest):
      // The summary line counts unchanged folders.
      guard release.info.contentVersion != newest.contentVersion else { return nil }
      return
        "\(product) \(newest.contentVersion): unchanged, although its version is \(release.info.contentVersion) now"
    case .notRaised(let finding):
      return "\(product) \(release.info.contentVersion): not raised: \(finding.message)"
    case .published(let publication):
      let raised = release.raisedVersion == nil ? "" : ", raised from \(release.info.contentVersion)"
      return PublishRendering.line(publication, isDryRun: false) + raised
    }
  }

  /// Returns the plan in columns, with a row and the first changes for each changed product.
  private func table(_ style: TextStyle) -> [String] {
    let head = ["product", "published", "new version", "changed files", "update"]
    let changed = work.outcomes.filter { !isUnchanged($0) }
    guard !changed.isEmpty else { return [] }
    let rows = [head] + changed.map(row)
    let widths = head.indices.map { column in rows.map { TextLayout.width(of: $0[column]) }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - TextLayout.width(of: cell)))
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    let changes = changed.map { outcome in
      outcome.release?.changes.map { ChangeText($0, style: style).lines } ?? []
    }
    return lines.prefix(1) + zip(lines.dropFirst(), changes).flatMap { [$0] + $1 }
  }

  private func isUnchanged(_ outcome: ReleaseWork.Outcome) -> Bool {
    if case .unchanged = outcome.release?.outcome { true } else { false }
  }

  private func row(_ outcome: ReleaseWork.Outcome) -> [String] {
    guard let release = outcome.release else {
      return [String(displaying: outcome.folder.utf8), "-", "failed", "-", "-"]
    }
    let identity = [release.info.productIdentifier.text, release.newest?.contentVersion.text ?? "-"]
    let changes = release.changes.map { "\($0.count)" } ?? "all"
    switch release.outcome {
    case .unchanged: return identity + ["unchanged", "-", "-"]
    case .notRaised: return identity + ["not raised", changes, "-"]
    case .published(let publication):
      guard publication.outcome == .published else { return identity + ["to be restored", changes, "-"] }
      let version = publication.package.info.contentVersion.text
      return identity + [version, changes, publication.updateBytes.map(Quantity.bytes) ?? "-"]
    }
  }

  /// The summary of all results, and the sequence number of the catalog.
  private var total: [String] {
    var counts: [(Int, String)] = []
    func count(_ label: String, _ matches: (FolderRelease.Outcome) -> Bool) {
      counts.append((work.outcomes.count { $0.release.map { matches($0.outcome) } ?? false }, label))
    }
    func isPublished(_ outcome: FolderRelease.Outcome, _ isNew: Bool) -> Bool {
      if case .published(let publication) = outcome {
        (publication.outcome == .published) == isNew
      } else {
        false
      }
    }
    count(isDryRun ? "to be published" : "published") { isPublished($0, true) }
    count("already published") { isPublished($0, false) }
    count("unchanged") { if case .unchanged = $0 { true } else { false } }
    count("not raised") { if case .notRaised = $0 { true } else { false } }
    counts.append((work.outcomes.count { $0.release == nil }, "failed"))
    let countText = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let leftOut = work.outcomes.reduce(into: ExcludedItems()) { $0 += $1.release?.leftOut ?? ExcludedItems() }
    return [
      "\(Quantity.count(work.outcomes.count, "product")): \(countText)" + Quantity.exclusionEnding(leftOut)
    ]
      + (work.sequence.map { ["\(store): catalog \($0)"] } ?? [])
  }
}
