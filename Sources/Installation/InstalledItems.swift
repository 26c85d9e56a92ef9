import Support
import ZipArchive

/// The items of an installed version, sorted by the bytes of their paths.
///
/// An item is made each time it is accessed. An update knows three versions of a product, and as arrays their items
/// would take more memory than everything else about it.
package struct InstalledItems: RandomAccessCollection, Sendable, Equatable {
  /// What is known of an item beside its path.
  private struct Facts: Sendable, Equatable {
    /// Bytes of a file, `folder` for a folder, and below that a link: the complement of the place of its target.
    let size: Int64
    let digest: ContentDigest

    static let folder: Int64 = -1

    /// `target` is the place that the target of a link gets.
    init(_ kind: InstalledItem.Kind, target: Int) {
      switch kind {
      case .file(let size, let digest): (self.size, self.digest) = (Swift.max(0, size), digest)
      case .folder: (size, digest) = (Self.folder, .none)
      case .link: (size, digest) = (Self.folder - 1 - Int64(target), .none)
      }
    }

    /// The place of the target of a link, or nil for anything else.
    var target: Int? { size < Self.folder ? Int(Self.folder - 1 - size) : nil }
  }

  private var paths = PathList()
  private var facts: [Facts] = []
  /// The targets of the links.
  private var targets = PathList()

  /// No items.
  init() {}

  /// The same items, sorted.
  init(_ items: some Sequence<InstalledItem>) {
    for item in items.sorted(by: { $0.path < $1.path }) { append(item.path, item.kind) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { facts.count }

  package subscript(position: Int) -> InstalledItem {
    let facts = facts[position]
    let kind: InstalledItem.Kind =
      if let target = facts.target {
        .link(target: targets[target].bytes)
      } else if facts.size == Facts.folder {
        .folder
      } else {
        .file(size: facts.size, facts.digest)
      }
    return InstalledItem(path: paths[position], kind: kind)
  }

  mutating func reserveCapacity(_ count: Int) {
    paths.reserveCapacity(count)
    facts.reserveCapacity(count)
  }

  /// Adds an item whose path comes after all others.
  ///
  /// - Returns: false if it does not, and is not added.
  @discardableResult
  mutating func append(_ path: EntryPath, _ kind: InstalledItem.Kind) -> Bool {
    if !isEmpty, !(paths[endIndex - 1] < path) { return false }
    paths.append(path)
    facts.append(Facts(kind, target: targets.count))
    if case .link(let target) = kind { targets.append(EntryPath(bytes: target)) }
    return true
  }

  /// The index of the item with this path, or nil if there is none.
  func index(of path: EntryPath) -> Int? {
    let index = insertionIndex(of: path)
    return index < endIndex && paths[index] == path ? index : nil
  }

  func item(at path: EntryPath) -> InstalledItem? { index(of: path).map { self[$0] } }

  /// Bytes of the file at a position, and 0 for anything else.
  func size(at position: Int) -> Int64 { Swift.max(0, facts[position].size) }

  /// The same items and another one.
  func adding(_ item: InstalledItem) -> InstalledItems {
    let index = insertionIndex(of: item.path)
    var items = InstalledItems()
    for known in self[..<index] { items.append(known.path, known.kind) }
    items.append(item.path, item.kind)
    for known in self[index...] { items.append(known.path, known.kind) }
    return items
  }

  /// The index of the first item whose path is not before this one.
  private func insertionIndex(of path: EntryPath) -> Int {
    indices.partitioningIndex { paths[$0] < path }
  }
}

extension InstalledItems: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: InstalledItem...) { self.init(elements) }
}
