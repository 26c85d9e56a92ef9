import ContentPackage
import SafeFiles
import Support

/// The file of a page, or standard output.
enum PageOutput {
  /// Checks that a page would not become a part of the content that it tells of.
  ///
  /// - Throws: `OutputInSource`.
  static func check(_ path: String, outside content: String) throws {
    if path != PackageOutput.standardOutput { try FolderSource.checkOutput(at: path, outside: content) }
  }

  /// Writes a page, which appears whole or not at all.
  ///
  /// - Throws: `FileError`, and what `write` throws.
  static func write(
    to path: String, replacing: Bool, _ write: (_ print: (String) throws -> Void) throws -> Void
  ) throws {
    let target = PackageOutput.target(path, replacing: replacing)
    var file = try StagedOutput.create(at: OutputPlace(target))
    try write { try file.write(unsafe Array($0.utf8).span.bytes) }  // any UInt8 is a byte
    try file.commit()
  }
}
