import ContentPackage
import SafeFiles
import Support

/// What the published package requires of a new one.
enum PublishedPackage {
  /// - Throws: `CommandFailure` if the two are not versions of one product, or a version is not known.
  static func check(_ comparison: PackageComparison) throws {
    for side in [comparison.old, comparison.new]
    where side.productIdentifier == nil || side.contentVersion == nil {
      throw CommandFailure(
        .rejected,
        "\(String(displaying: side.path.utf8)) has no product identifier or version; see iapkg validate",
        path: side.path)
    }
    guard let old = comparison.old.productIdentifier, let new = comparison.new.productIdentifier else {
      return
    }
    guard old.text == new.text else {
      throw CommandFailure(
        .rejected,
        "the published package is of the product \(old), expected \(new)", path: comparison.old.path)
    }
  }

  /// What the comparison with what was validated finds, if that is not too damaged to be compared.
  ///
  /// - Throws: `CommandFailure` as `check`; otherwise as `PackageComparison`, of the published package.
  static func finding(
    comparing review: ContentReview, with published: String, jobs: Int, _ cancellation: Cancellation,
    _ progress: WorkProgress
  ) throws -> Finding? {
    guard review.productIdentifier != nil, review.contentVersion != nil else { return nil }
    do {
      let comparison = try PackageComparison(
        of: published, with: review, jobs: jobs, cancellation: cancellation, progress: progress)
      try check(comparison)
      return comparison.finding
    } catch let unsound as UnsoundArchive where unsound.path == review.source.path {
      return nil
    }
  }

  /// The version that the new content needs, or nil if its version is right.
  static func version(
    above comparison: PackageComparison, raising part: ContentVersion.Part
  ) throws -> ContentVersion? {
    try check(comparison)
    guard comparison.finding != nil, let published = comparison.old.contentVersion else { return nil }
    guard let next = published.bumped(part) else { throw PackageEditor.Refusal.cannotBeRaised(published) }
    return next
  }
}
