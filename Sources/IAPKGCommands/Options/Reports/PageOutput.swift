import SafeFiles
import Support

/// The output of HTML pages: a file or standard output.
enum PageOutput {
  /// Writes one of several pages into a folder that was checked.
  ///
  /// - Throws: The errors of `write(to:_:)`.
  static func write(
    to path: String, replacing: Bool, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    try self.write(to: OutputPlace(PackageOutput.target(path, replacing: replacing)), write)
  }

  /// Writes a page atomically.
  ///
  /// - Throws: `FileError` and the errors of `write`.
  static func write(
    to place: OutputPlace, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    var file = try StagedOutput.create(at: place)
    try write { try file.write(unsafe Array($0.utf8).borrowedSpan.bytes) }  // any UInt8 is a byte
    try file.commit()
  }
}
