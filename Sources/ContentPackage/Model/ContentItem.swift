package import ZipArchive

/// One item of a package or content folder.
package struct ContentItem: Sendable {
  package enum Kind: Sendable, Equatable {
    case file, folder
    /// The bytes of the target, or nil if they could not be read.
    case link(target: [UInt8]?)
    /// A device, FIFO, socket or whiteout. The text names it.
    case special(String)

    /// The target of a link whose target could be read.
    package var target: [UInt8]? { if case .link(let target) = self { target } else { nil } }
  }

  /// The path relative to the root of the package.
  package let path: EntryPath
  package let kind: Kind
  /// The number of bytes of content; 0 for a folder.
  package let size: Int64
  /// The 12 permission bits, or nil if none are recorded.
  package let permissions: UInt16?
  /// The index of the item in its source.
  package let index: Int

  package init(path: EntryPath, kind: Kind, size: Int64, permissions: UInt16?, index: Int) {
    self.path = path
    self.kind = kind
    self.size = size
    self.permissions = permissions
    self.index = index
  }

  /// Whether it is content, or a folder on the way to it.
  package var isContent: Bool { path.isContent }
}
