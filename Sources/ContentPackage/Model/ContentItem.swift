package import ZipArchive

/// One item of a package or content folder.
package struct ContentItem: Sendable {
  /// The kind of an item.
  package enum Kind: Sendable, Equatable {
    case file, folder
    /// A symbolic link with the bytes of its target; nil if the target could not be read.
    case link(target: [UInt8]?)
    /// A device, FIFO, socket or whiteout. The text is the name of the kind.
    case special(String)

    /// The target of a link; nil for an unreadable target and for other kinds.
    package var target: [UInt8]? { if case .link(let target) = self { target } else { nil } }
  }

  /// The path relative to the root of the package.
  package let path: EntryPath
  /// The kind of the item.
  package let kind: Kind
  /// The number of bytes of a file's content or a link's target; 0 for a folder.
  package let size: Int64
  /// The 12 permission bits, or nil if none are recorded.
  package let permissions: UInt16?
  /// The index of the item in its source.
  package let index: Int

  /// Creates an item.
  package init(path: EntryPath, kind: Kind, size: Int64, permissions: UInt16?, index: Int) {
    self.path = path
    self.kind = kind
    self.size = size
    self.permissions = permissions
    self.index = index
  }

  /// Whether the item is `Contents` or below it.
  package var isContent: Bool { path.isContent }
}
