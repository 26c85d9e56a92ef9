package import ZipArchive

/// One thing in a package or content folder.
package struct ContentItem: Sendable {
  package enum Kind: Sendable, Equatable {
    case file, folder
    /// The target's bytes, or nil if they could not be read.
    case link(target: [UInt8]?)
    /// A device, fifo, socket or whiteout; the text names it.
    case special(String)
  }

  /// Relative to the root of the package.
  package let path: EntryPath
  package let kind: Kind
  /// Bytes of content; 0 for a folder.
  package let size: Int64
  /// The 12 permission bits, or nil where none are recorded.
  package let permissions: UInt16?
  /// The number by which its source knows it.
  package let index: Int

  package init(path: EntryPath, kind: Kind, size: Int64, permissions: UInt16?, index: Int) {
    self.path = path
    self.kind = kind
    self.size = size
    self.permissions = permissions
    self.index = index
  }

  /// Whether it is content, or a folder on the way to it.
  package var isContent: Bool { path.first == PackageLayout.contents }
}
