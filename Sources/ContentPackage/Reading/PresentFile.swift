package import SafeFiles

/// A local file that has the first bytes of an item, or all.
package struct PresentFile: Sendable {
  package let file: InputFile
  /// The number of leading bytes that match the item.
  package let byteCount: Int64
  /// The location of the file if it may be moved; nil if it must stay.
  package let place: Place?

  /// The location of a file.
  package struct Place: Sendable {
    package let tree: FileTree
    package let path: [UInt8]

    package init(tree: FileTree, path: [UInt8]) {
      self.tree = tree
      self.path = path
    }

    /// - Throws: `FileError` if the file no longer exists.
    package func open() throws(FileError) -> InputFile { try tree.openFile(path) }
  }

  package init(_ file: InputFile, byteCount: Int64, movableFrom place: Place?) {
    self.file = file
    self.byteCount = byteCount
    self.place = place
  }
}
