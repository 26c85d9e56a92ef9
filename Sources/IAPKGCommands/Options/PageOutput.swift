import SafeFiles
import Support

/// The file of a page, or standard output.
enum PageOutput {
  /// Writes a page, which appears whole or not at all.
  ///
  /// - Throws: `FileError`, and what `write` throws.
  static func write(
    to place: OutputPlace, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    var file = try StagedOutput.create(at: place)
    try write { try file.write(unsafe Array($0.utf8).span.bytes) }  // any UInt8 is a byte
    try file.commit()
  }
}
