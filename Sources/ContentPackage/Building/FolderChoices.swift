package import ZipArchive

/// What a user wants of a content folder.
package struct FolderChoices: Sendable {
  /// Whether an item, by its path in the folder, is no part of the content.
  package let leavesOut: @Sendable (_ path: EntryPath, _ isFolder: Bool) -> Bool
  /// How a file is compressed, by its path in the package; nil for as ever.
  package let compression: @Sendable (_ path: EntryPath) -> Compression?

  package init(
    leavesOut: @escaping @Sendable (_ path: EntryPath, _ isFolder: Bool) -> Bool = { _, _ in false },
    compression: @escaping @Sendable (_ path: EntryPath) -> Compression? = { _ in nil }
  ) {
    self.leavesOut = leavesOut
    self.compression = compression
  }
}
