#if COMMAND_LINE_TOOL
import ZipArchive

extension PackageBuilder {
  /// Compares reviewed content with the budget of its folder. Compresses the content only if the package could exceed
  /// its budget.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - published: The changes since the published version; nil if no version is published.
  /// - Returns: The findings of the rule `size/over-budget`; none without a budget.
  /// - Throws: The errors of `measured`.
  package func budgetFindings(of review: ContentReview, since published: ChangeSummary?) throws -> [Finding] {
    guard let budget = choices.budget else { return [] }
    var packageBytes = review.source.archiveBytes
    if packageBytes == nil, let limit = budget.package, !review.readableItems.isEmpty,
      Self.maximumBytes(of: review) > limit.maximum
    {
      packageBytes = try measured(review).source.archiveBytes
    }
    return BudgetCheck(of: review, by: budget).findings(packageBytes: packageBytes, since: published)
  }

  /// Returns an upper bound of the package's size: the size with every entry stored. The content must be within the
  /// limit.
  static func maximumBytes(of review: ContentReview) -> Int64 {
    let items = entryOrder(review.items)
    return SizeRules.sum(items.lazy.map { $0.size + EntryHeader.maximumByteCount(for: $0.path) })
      + ZipWriter.maximumEndSize
  }
}
#endif
