import ContentPackage
import Support
import ZipArchive

/// Groups the entries of a package, or values that stand for them, into pages. Page boundaries depend only on the paths:
/// an added or removed entry changes its page and rarely others.
///
/// The constants are part of the format: with other values, an update could reuse no page of the preceding release.
struct PageCutter<Element> {
  private var page: [Element] = []

  /// Adds an element, and passes the page to `body` if it ends with the element.
  mutating func append(_ element: Element, at path: EntryPath, _ body: ([Element]) throws -> Void) rethrows {
    page.append(element)
    if PageBoundary.isEnd(path, count: page.count) { try finish(body) }
  }

  /// Passes the last page to `body`, unless it is empty.
  mutating func finish(_ body: ([Element]) throws -> Void) rethrows {
    if !page.isEmpty { try body(page) }
    page.removeAll(keepingCapacity: true)
  }
}

private enum PageBoundary {
  private static let minimumCount = 8
  private static let maximumCount = 64
  /// From `minimumCount` on, every eighth entry on average ends a page.
  private static let mask: UInt8 = 8 - 1

  /// Returns whether a page of `count` entries ends with the entry at `path`. The manifest, which changes with every
  /// version, always ends its page.
  static func isEnd(_ path: EntryPath, count: Int) -> Bool {
    path == PackageLayout.manifest || count == maximumCount
      || count >= minimumCount && SHA256Digest(of: path.bytes).bytes[0] & mask == 0
  }
}
