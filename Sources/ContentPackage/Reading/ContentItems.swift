import SafeFiles
import ZipArchive

/// The items of a source, by default sorted by the bytes of their paths.
///
/// Each access creates the item from the data of the source. An array of all items would take half as much memory again
/// as the entries of a package.
package struct ContentItems: RandomAccessCollection, Sendable {
  /// The entries of a package. A class, because every access to an item retains the payload of the case.
  private final class Entries: Sendable {
    let entries: [ZipEntry]
    /// The targets of links by entry index, without unreadable targets.
    let targets: LinkTargets

    init(_ entries: [ZipEntry], targets: LinkTargets) {
      self.entries = entries
      self.targets = targets
    }
  }

  private enum Base: Sendable {
    case list([ContentItem])
    case entries(Entries)
    /// Items that a closure creates from their indices.
    case made(count: Int, @Sendable (Int) -> ContentItem)
    /// Items that are not on disk, followed by the items of a folder.
    indirect case tree(added: [ContentItem], FolderItems)
  }

  private let base: Base
  /// The indices of the items in iteration order; nil for all items in their original order.
  private let order: [UInt32]?

  private init(_ base: Base, order: [UInt32]?) {
    self.base = base
    self.order = order
  }

  /// Creates a collection of items that are already sorted.
  package init(_ items: [ContentItem] = []) { self.init(.list(items), order: nil) }

  /// Creates a list whose items a closure makes.
  ///
  /// - Parameters:
  ///   - order: The indices of the items, sorted by path.
  ///   - item: Creates the item with an index.
  package init(order: [UInt32], making item: @escaping @Sendable (Int) -> ContentItem) {
    self.init(.made(count: order.count, item), order: order)
  }

  /// Creates the items of a package.
  ///
  /// - Parameters:
  ///   - entries: The entries of a package.
  ///   - order: The indices of the entries, sorted by path.
  ///   - targets: The targets of links, by entry index.
  init(_ entries: [ZipEntry], order: [UInt32], targets: LinkTargets) {
    self.init(.entries(Entries(entries, targets: targets)), order: order)
  }

  /// Creates the items of a folder.
  ///
  /// - Parameters:
  ///   - added: Items that precede all items of the tree.
  ///   - tree: The items of a folder, with their paths in a package.
  ///   - order: The indices in `tree`, sorted by path.
  init(_ added: [ContentItem], _ tree: FolderItems, order: [UInt32]) {
    let indices = added.indices.map { UInt32($0) } + order.lazy.map { $0 + UInt32(added.count) }
    self.init(.tree(added: added, tree), order: indices)
  }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    if let order { return order.count }
    return switch base {
    case .list(let items): items.count
    case .entries(let package): package.entries.count
    case .made(let count, _): count
    case .tree(let added, let items): added.count + items.count
    }
  }

  package subscript(position: Int) -> ContentItem {
    let index = order.map { Int($0[position]) } ?? position
    switch base {
    case .list(let items):
      return items[index]
    case .entries(let package):
      let entry = package.entries[index]
      let kind: ContentItem.Kind =
        switch entry.kind {
        case .file: .file
        case .folder: .folder
        case .special(let name): .special(name)
        case .link: .link(target: package.targets[index])
        }
      return ContentItem(
        path: entry.path, kind: kind, size: entry.size, permissions: entry.permissions, index: index)
    case .made(_, let item):
      return item(index)
    case .tree(let added, let items):
      return index < added.count
        ? added[index] : ContentItem(items, at: index - added.count)
    }
  }

  /// Returns the items that match a predicate, in the same order.
  func filtered(_ isWanted: (ContentItem) -> Bool) -> ContentItems {
    let wanted = indices.filter { isWanted(self[$0]) }
    return ContentItems(base, order: wanted.map { order?[$0] ?? UInt32($0) })
  }

  /// Returns the same items of a package with other entries, in the same order.
  func replacing(entries: [ZipEntry]) -> ContentItems {
    guard case .entries(let package) = base else { return self }
    return ContentItems(.entries(Entries(entries, targets: package.targets)), order: order)
  }

  /// Returns the same items of a folder without their paths.
  func withoutPaths() -> ContentItems {
    guard case .tree(_, let items) = base else { return self }
    return replacing(tree: items.withoutPaths())
  }

  /// Returns the same items of a folder with an updated tree, in the same order.
  func replacing(tree: FolderItems) -> ContentItems {
    guard case .tree(let added, _) = base else { return self }
    return ContentItems(.tree(added: added, tree), order: order)
  }

  /// Returns the same items in another order.
  func sorted(by precedes: (ContentItem, ContentItem) -> Bool) -> ContentItems {
    let positions = indices.map { UInt32($0) }.sorted { precedes(self[Int($0)], self[Int($1)]) }
    return ContentItems(base, order: positions.map { order?[Int($0)] ?? $0 })
  }
}

extension ContentItem {
  fileprivate init(_ items: FolderItems, at index: Int) {
    let (status, target) = (items.statuses[index], items.linkTargets[index])
    let kind: Kind =
      switch status.kind {
      case .file: .file
      case .folder: .folder
      case .link: .link(target: target)
      case .special(let kind): .special(kind.rawValue)
      }
    self.init(
      path: items.paths[index], kind: kind,
      size: kind == .file ? status.size : Int64(target?.count ?? 0),
      permissions: items.recordsPermissions ? status.permissions : nil, index: index)
  }
}
