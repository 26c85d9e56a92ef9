#if COMMAND_LINE_TOOL
import ZipArchive

extension PackageBuilder {
  /// Compares reviewed content with the budget of its folder. Compresses the content only if it could be over the budget
  /// of the package.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - published: The changes since the published version; nil without one.
  /// - Returns: The findings of `size/over-budget`; none without a budget.
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

  /// Returns a size that the package of reviewed content does not exceed: no entry is larger than if it were stored. The
  /// content must be within the limit.
  static func maximumBytes(of review: ContentReview) -> Int64 {
    let items = entryOrder(review.items)
    return SizeRules.sum(items.lazy.map { $0.size + EntryHeader.maximumByteCount(for: $0.path) })
      + ZipWriter.maximumEndSize
  }
}
#endif
