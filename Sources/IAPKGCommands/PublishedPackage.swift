import ContentPackage
import SafeFiles

/// What a comparison with the published package asks of the new one.
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
        .rejected, "the published package holds \(old), expected \(new)", path: comparison.old.path)
    }
  }

  /// Adds to a report what the comparison finds, unless the input is too damaged to be compared.
  ///
  /// - Throws: `CommandFailure` as `check`; otherwise as `PackageComparison`, of the published package.
  static func compare(
    _ report: ValidationReport, with published: String, _ cancellation: Cancellation, _ progress: WorkProgress
  ) throws -> ValidationReport {
    guard report.productIdentifier != nil, report.contentVersion != nil else { return report }
    do {
      let comparison = try PackageComparison(
        of: published, with: report.path, cancellation: cancellation, progress: progress)
      try check(comparison)
      return comparison.finding.map(report.adding) ?? report
    } catch let unsound as UnsoundArchive where unsound.path == report.path {
      return report
    }
  }

  /// The version that the new content needs, or nil if the one that it has will do.
  static func version(
    above comparison: PackageComparison, raising part: ContentVersion.Part
  ) throws -> ContentVersion? {
    try check(comparison)
    guard comparison.finding != nil, let published = comparison.old.contentVersion else { return nil }
    guard let next = published.bumped(part) else { throw PackageEditor.Refusal.cannotBeRaised(published) }
    return next
  }
}
