import ContentPackage
import Support
import ZipArchive

/// The paths of a package's content, shared so that equal paths are in memory only once.
struct KnownPaths: Sendable {
  private let items: ContentItems

  init(of review: ContentReview) { items = review.items }

  /// Returns the equal path of the package, or `path` itself if the package has none.
  func path(equalTo path: EntryPath) -> EntryPath {
    let wanted = PackageLayout.contents.appending(path.bytes)
    let index = items.partitioningIndex { $0.path < wanted }
    guard index < items.endIndex, items[index].path == wanted else { return path }
    return items[index].path.withoutFirst ?? path
  }
}
