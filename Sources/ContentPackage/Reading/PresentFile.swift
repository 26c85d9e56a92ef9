package import SafeFiles

/// A file on this machine that has the first bytes of an item, or all.
package struct PresentFile: Sendable {
  package let file: InputFile
  /// How many of its bytes are those of the item.
  package let byteCount: Int64
  /// Where the file lies if it may be moved from there; nil if it must stay.
  package let place: Place?

  /// Where a file lies.
  package struct Place: Sendable {
    package let tree: FileTree
    package let path: [UInt8]

    package init(tree: FileTree, path: [UInt8]) {
      self.tree = tree
      self.path = path
    }

    /// - Throws: `FileError` if there is no such file any more.
    package func open() throws(FileError) -> InputFile { try tree.openFile(path) }
  }

  package init(_ file: InputFile, byteCount: Int64, movableFrom place: Place?) {
    self.file = file
    self.byteCount = byteCount
    self.place = place
  }
}
