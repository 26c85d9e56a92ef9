package import ZipArchive

/// The user's settings for a content folder.
package struct FolderChoices: Sendable {
  /// Returns whether an item, by its path in the folder, is excluded from the content.
  package let excludes: @Sendable (_ path: EntryPath, _ isFolder: Bool) -> Bool
  /// The compression of a file, by its path in the package; nil for the default.
  package let compression: @Sendable (_ path: EntryPath) -> Compression?
  /// The maximum sizes of the product; nil for none.
  package let budget: SizeBudget?
  /// Returns whether a finding is ignored.
  package let ignores: @Sendable (_ finding: Finding) -> Bool

  /// Creates settings. By default, they exclude and ignore nothing, and set no limits.
  package init(
    excludes: @escaping @Sendable (_ path: EntryPath, _ isFolder: Bool) -> Bool = { _, _ in false },
    compression: @escaping @Sendable (_ path: EntryPath) -> Compression? = { _ in nil },
    budget: SizeBudget? = nil,
    ignores: @escaping @Sendable (_ finding: Finding) -> Bool = { _ in false }
  ) {
    self.excludes = excludes
    self.compression = compression
    self.budget = budget
    self.ignores = ignores
  }
}
