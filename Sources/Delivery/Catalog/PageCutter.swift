import ContentPackage
import Support
import ZipArchive

/// Divides the entries of a package into pages, at boundaries that depend on the paths only: an added or removed entry
/// changes its page and rarely others.
///
/// The constants are part of the format: with other values, an update would find no page of the release before it.
struct PageCutter {
  private static let minimumCount = 8
  private static let maximumCount = 64
  /// From `minimumCount` on, every eighth entry on average ends a page.
  private static let mask: UInt8 = 8 - 1

  private var count = 0

  /// Returns whether the entry ends the current page. The manifest, which changes with every version, is a page of its
  /// own.
  mutating func ends(after path: EntryPath) -> Bool {
    count += 1
    let isEnd =
      path == PackageLayout.manifest || count == Self.maximumCount
      || count >= Self.minimumCount && SHA256Digest(of: path.bytes).bytes[0] & Self.mask == 0
    if isEnd { count = 0 }
    return isEnd
  }
}
