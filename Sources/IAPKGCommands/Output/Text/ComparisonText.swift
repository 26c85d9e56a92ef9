import ContentPackage
import Delivery
import Support
import ZipArchive

/// The result of `diff` for one product.
struct ComparisonText {
  /// The old side; nil for a product that exists only on the new side.
  let old: PackageComparison.Side?
  let new: PackageComparison.Side?
  let added: [EntryPath]
  let removed: [EntryPath]
  let changed: [EntryPath]
  /// The download size of an update, or of the first download of a new product.
  let downloadBytes: Int64
  /// `version/not-raised` if the content changed and the version is not higher.
  let finding: Finding?

  init(_ update: consuming ContentUpdate) throws {
    downloadBytes = update.downloadBytes
    let differences = (consume update).differences
    (old, new) = (differences.old, differences.new)
    finding = VersionCheck(differences).finding
    (added, removed, changed) = try (consume differences).paths()
  }

  /// Creates the result for a product that exists only on the new side.
  init(added review: ContentReview, downloadBytes: Int64, cancellation: Cancellation) throws {
    (old, new) = (nil, PackageComparison.Side(review))
    (added, removed, changed) = (try ComparedContent.paths(in: review, cancellation), [], [])
    self.downloadBytes = downloadBytes
    finding = nil
  }

  /// Creates the result for a product that exists only on the old side.
  init(removed review: ContentReview, cancellation: Cancellation) throws {
    (old, new) = (PackageComparison.Side(review), nil)
    (added, removed, changed) = ([], try ComparedContent.paths(in: review, cancellation), [])
    (downloadBytes, finding) = (0, nil)
  }

  /// The excluded items of both sides.
  var leftOut: ExcludedItems {
    [old, new].compactMap { $0?.excluded }.reduce(into: ExcludedItems()) { $0 += $1 }
  }

  var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  var isVersionRaised: Bool {
    guard let old = old?.contentVersion, let new = new?.contentVersion else { return false }
    return old < new
  }
}
