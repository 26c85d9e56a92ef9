/// The comparison of reviewed content with the budget of its folder. Keeps only the paths of reported items and of the
/// three largest files.
package struct BudgetCheck: Sendable {
  private let budget: SizeBudget
  /// The findings about single files.
  private let fileFindings: [Finding]
  /// The number of files and links.
  private let fileCount: Int64
  private let largest: LargestFiles

  /// Compares the content with the budget.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - budget: The budget of its folder.
  package init(of review: ContentReview, by budget: SizeBudget) {
    self.budget = budget
    var list = FindingList(ignoring: review.source.ignores)
    var largest = LargestFiles()
    var count: Int64 = 0
    for item in review.items where item.isContent && item.kind != .folder {
      count += 1
      guard item.kind == .file else { continue }
      largest.add(item.path, item.size)
      guard let limit = budget.file(item.path), item.size > limit.maximum else { continue }
      list.add(
        Finding(
          .sizeOverBudget, at: item.path,
          "the file has \(item.size) bytes, expected at most \(limit.maximum) (\(limit.location))"))
    }
    fileFindings = list.findings
    fileCount = count
    self.largest = largest
  }

  /// Compares the sizes with the budget.
  ///
  /// - Parameters:
  ///   - packageBytes: The size of the package in bytes; nil if unknown.
  ///   - published: The changes since the published version; nil if no version is published.
  /// - Returns: A finding of `size/over-budget` for each exceeded limit.
  package func findings(packageBytes: Int64?, since published: ChangeSummary?) -> [Finding] {
    var findings = fileFindings
    if let packageBytes, let limit = budget.package, packageBytes > limit.maximum {
      findings.append(
        finding(
          "the package has \(packageBytes) bytes", limit,
          [("largest files", largest.text())] + published.grown))
    }
    if let limit = budget.files, fileCount > limit.maximum {
      let added = published.map { "\($0.addedCount)\($0.since)" }
      findings.append(
        finding("the content has \(fileCount) files", limit, added.map { [("added", $0)] } ?? []))
    }
    if let published, let bytes = published.updateBytes, let limit = budget.update, bytes > limit.maximum {
      findings.append(
        finding(
          "an update\(published.from) downloads \(bytes) bytes", limit,
          [("largest new and changed files", published.files.largest.text())] + Optional(published).grown))
    }
    return findings
  }

  private func finding(
    _ found: String, _ limit: SizeBudget.Limit, _ details: [(name: String, text: String)]
  ) -> Finding {
    let details = details.filter { !$0.text.isEmpty }.map { "; \($0.name): \($0.text)" }.joined()
    return Finding(
      .sizeOverBudget, "\(found), expected at most \(limit.maximum) (\(limit.location))\(details)")
  }
}

extension ChangeSummary {
  fileprivate var since: String { version.map { " since \($0)" } ?? "" }
  fileprivate var from: String { version.map { " from \($0)" } ?? "" }
}

extension ChangeSummary? {
  /// The files that became larger, as a detail of a message.
  fileprivate var grown: [(name: String, text: String)] {
    map { [("grown\($0.since)", $0.files.grown.text(sign: "+"))] } ?? []
  }
}
