/// The version check of content against its published predecessor. Keeps only the number of differences, because there
/// may be hundreds of thousands of paths.
package struct VersionCheck: Sendable {
  /// The published side.
  package let old: PackageComparison.Side
  /// The new side.
  package let new: PackageComparison.Side
  /// The number of differences in the content.
  private let changes: Int

  /// Compares reviewed content with a published package.
  ///
  /// - Throws: `UnsoundArchive` if the content is not sound, `SourceError`, `Interruption`.
  package init(
    of old: consuming Baseline, on review: consuming ContentReview, context: WorkContext
  ) throws {
    self.init(try Differences(of: old, with: review, context: context))
  }

  /// Creates the check of differences that are already known.
  package init(_ differences: Differences) {
    (old, new, changes) = (differences.old, differences.new, differences.count)
  }

  init(_ comparison: PackageComparison) {
    (old, new) = (comparison.old, comparison.new)
    changes = comparison.added.count + comparison.removed.count + comparison.changed.count
  }

  /// Whether the content differs in anything but the version.
  package var isChanged: Bool { changes > 0 }

  /// Whether the new version is above the old one; false if either is unknown.
  package var isRaised: Bool {
    guard let old = old.contentVersion, let new = new.contentVersion else { return false }
    return old < new
  }

  /// The finding of `version/not-raised`, if the content changed and the version did not rise.
  package var finding: Finding? {
    PackageComparison.finding(changes: changes, from: old.contentVersion, to: new.contentVersion)
  }

  /// Checks that the two sides are versions of one product; see `PackageComparison.checkProduct`.
  package func checkProduct() throws(ComparisonError) {
    guard let product = old.productIdentifier, old.contentVersion != nil else {
      throw .unidentified(path: old.path)
    }
    guard let expected = new.productIdentifier, new.contentVersion != nil else {
      throw .unidentified(path: new.path)
    }
    guard product == expected else { throw .otherProduct(path: old.path, product, expected: expected) }
  }
}
