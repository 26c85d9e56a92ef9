package import SafeFiles

/// A local file with leading bytes of an item, or with all of them.
package struct PresentFile: Sendable {
  /// The open file.
  package let file: InputFile
  /// The number of leading bytes that match the item.
  package let byteCount: Int64
  /// The location of the file if it may be moved; nil if it must stay.
  package let place: Place?

  /// The location of a file.
  package struct Place: Sendable {
    /// The folder that contains the file.
    package let tree: FileTree
    /// The path of the file in `tree`.
    package let path: [UInt8]

    /// Creates the location of the file at `path` in `tree`.
    package init(tree: FileTree, path: [UInt8]) {
      self.tree = tree
      self.path = path
    }

    /// Opens the file at this location.
    ///
    /// - Throws: `FileError` if the file no longer exists.
    package func open() throws(FileError) -> InputFile { try tree.openFile(path) }
  }

  /// Creates a present file; `place` is nil if the file must stay where it is.
  package init(_ file: InputFile, byteCount: Int64, movableFrom place: Place?) {
    self.file = file
    self.byteCount = byteCount
    self.place = place
  }
}
