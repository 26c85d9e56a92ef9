import SafeFiles
import Support

/// The output of HTML pages and Markdown tables: a file or standard output.
enum PageOutput {
  /// Writes a page to a file, or to standard output for `-`.
  ///
  /// - Throws: The errors of `write(to:_:)`.
  static func write(
    to path: String, replacing: Bool, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    try self.write(to: OutputDestination(PackageOutput.target(path, replacing: replacing)), write)
  }

  /// Writes a page atomically.
  ///
  /// - Throws: `FileError` and the errors of `write`.
  static func write(
    to place: OutputDestination, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    var file = try StagedOutput.create(at: place)
    try write { try file.write(unsafe Array($0.utf8).borrowedSpan.bytes) }  // UInt8 has no padding
    try file.commit()
  }
}
