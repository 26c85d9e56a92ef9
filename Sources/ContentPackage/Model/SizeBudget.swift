package import ZipArchive

/// The maximum sizes of a product, from the settings of its content folder.
package struct SizeBudget: Sendable {
  /// A maximum, and its location.
  package struct Limit: Sendable {
    /// A number of bytes, or of files.
    package let maximum: Int64
    /// The location of the setting, for messages; safe to print.
    package let place: String

    package init(_ maximum: Int64, at place: String) {
      self.maximum = maximum
      self.place = place
    }
  }

  /// The limit of the package, in bytes; nil for none.
  package let package: Limit?
  /// The limit of the download of an update, in bytes; nil for none.
  package let update: Limit?
  /// The limit of the number of files and links; nil for none.
  package let files: Limit?
  /// Returns the limit of a file, by its path in the package, in bytes; nil for none.
  package let file: @Sendable (EntryPath) -> Limit?

  package init(
    package: Limit?, update: Limit?, files: Limit?, file: @escaping @Sendable (EntryPath) -> Limit?
  ) {
    self.package = package
    self.update = update
    self.files = files
    self.file = file
  }
}
