import ContentPackage
import Support
import ZipArchive

/// The paths that the content of a package has in memory, so that others need not have the same bytes once more.
struct KnownPaths: Sendable {
  private let items: ContentItems

  init(of review: ContentReview) { items = review.items }

  /// A path with the bytes of the package's, or the same path where the package has none like it.
  func path(equalTo path: EntryPath) -> EntryPath {
    let wanted = PackageLayout.contents.appending(path.bytes)
    let place = items.partitioningIndex { $0.path < wanted }
    guard place < items.endIndex, items[place].path == wanted else { return path }
    return items[place].path.withoutFirst ?? path
  }
}
