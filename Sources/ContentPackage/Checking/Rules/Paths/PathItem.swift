package import ZipArchive

/// The data of one entry that the rules for paths and links need.
package struct PathItem: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A regular file, or another item that cannot have entries below it.
    case file
    case folder
    /// A symbolic link with the bytes of its target.
    case link(target: [UInt8])
  }

  package let path: EntryPath
  package let kind: Kind

  package init(_ path: EntryPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// The data of all entries, created on each access to save the memory of an array.
package struct PathItems: RandomAccessCollection, Sendable {
  private let item: @Sendable (Int) -> PathItem

  package let startIndex = 0
  package let endIndex: Int

  package init(count: Int, making item: @escaping @Sendable (Int) -> PathItem) {
    endIndex = count
    self.item = item
  }

  package subscript(position: Int) -> PathItem { item(position) }
}

extension PathItems: ExpressibleByArrayLiteral {
  package init(_ items: [PathItem]) { self.init(count: items.count) { items[$0] } }

  package init(arrayLiteral items: PathItem...) { self.init(items) }
}
