package import ZipArchive

/// The data of one entry that the rules for paths and links need.
package struct PathItem: Sendable, Equatable {
  /// The kinds of entries that the rules distinguish.
  package enum Kind: Sendable, Equatable {
    /// A regular file, or another item that cannot have entries below it.
    case file
    case folder
    /// A symbolic link with the bytes of its target.
    case link(target: [UInt8])
  }

  /// The path relative to the root of the package.
  package let path: EntryPath
  /// The kind of the entry.
  package let kind: Kind

  /// Creates the data of an entry.
  package init(_ path: EntryPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// The data of all entries, computed on each access to save the memory of an array.
package struct PathItems: RandomAccessCollection, Sendable {
  private let item: @Sendable (Int) -> PathItem

  package let startIndex = 0
  package let endIndex: Int

  /// Creates a collection of `count` items. `item` returns the item at an index.
  package init(count: Int, making item: @escaping @Sendable (Int) -> PathItem) {
    endIndex = count
    self.item = item
  }

  package subscript(position: Int) -> PathItem { item(position) }
}

extension PathItems: ExpressibleByArrayLiteral {
  /// Creates a collection of the items of an array.
  package init(_ items: [PathItem]) { self.init(count: items.count) { items[$0] } }

  package init(arrayLiteral items: PathItem...) { self.init(items) }
}
