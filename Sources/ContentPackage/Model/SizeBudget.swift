package import ZipArchive

/// The maximum sizes of a product, from the settings of its content folder.
package struct SizeBudget: Sendable {
  /// A maximum and the location of its setting.
  package struct Limit: Sendable {
    /// A number of bytes, or of files.
    package let maximum: Int64
    /// The location of the setting, for messages; safe to print.
    package let location: String

    /// Creates a limit. `location` is the location of its setting, safe to print.
    package init(_ maximum: Int64, at location: String) {
      self.maximum = maximum
      self.location = location
    }
  }

  /// The limit of the size of the package, in bytes; nil for no limit.
  package let package: Limit?
  /// The limit of the download of an update, in bytes; nil for no limit.
  package let update: Limit?
  /// The limit of the number of files and links; nil for no limit.
  package let files: Limit?
  /// Returns the limit of the size of a file in bytes, by its path in the package; nil for no limit.
  package let file: @Sendable (EntryPath) -> Limit?

  /// Creates a budget. `file` returns the limit of a file by its path in the package.
  package init(
    package: Limit?, update: Limit?, files: Limit?, file: @escaping @Sendable (EntryPath) -> Limit?
  ) {
    self.package = package
    self.update = update
    self.files = files
    self.file = file
  }
}
