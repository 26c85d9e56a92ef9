import Support
import SystemPackage

/// An unnamed file for data that is too large for memory. It is deleted at the end of its lifetime.
package struct SpoolFile: ~Copyable {
  private var file: OutputFile

  /// The number of bytes written so far.
  package var byteCount: Int64 { file.byteCount }

  /// Creates an empty file on the file system of `folder`.
  ///
  /// - Throws: `FileError` with operation `create`.
  package static func create(
    in folder: String = FileSystem.temporaryFolder
  ) throws(FileError) -> SpoolFile {
    SpoolFile(file: try makeFile(in: folder))
  }

  /// The name of an unnamed file in messages.
  package static func name(in folder: String) -> String { "a temporary file in \(folder)" }

  /// Creates an unnamed file on the file system of `folder`.
  static func makeFile(in folder: String) throws(FileError) -> OutputFile {
    let descriptor = try attempt(.create, name(in: folder)) { () throws(Errno) in
      try withCName(folder.utf8) { path throws(Errno) -> Descriptor in
        if let unnamed = try Platform.openUnnamed(in: path) { return unnamed }
        var name = TemporaryName(
          folder: try POSIX.openPath(path, POSIX.folderFlags),
          name: TemporaryName.temporaryName(for: []))
        return try name.create(permissions: 0o600)  // the end of this scope removes the name
      }
    }
    return OutputFile(owning: descriptor, path: name(in: folder))
  }

  private init(file: consuming OutputFile) { self.file = file }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileError` with operation `write`.
  package mutating func write(_ bytes: RawSpan) throws(FileError) { try file.write(bytes) }

  /// Converts the file to an input, which keeps the bytes as long as it exists.
  ///
  /// - Throws: `FileError` with operation `write`.
  package consuming func finish() throws(FileError) -> InputFile { try file.reopenedForReading() }

  /// The number of bytes to read at once.
  private static let blockSize = 1 << 18

  /// Copies all of standard input to a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in messages.
  ///   - limit: The maximum number of bytes.
  /// - Returns: The file; nil if there are more than `limit` bytes.
  /// - Throws: `FileError` with operation `open` if standard input is closed or a folder; with `create`, `read` or
  ///   `write` if the file cannot be created or the bytes cannot be copied.
  package static func ofStandardInput(
    as name: String, limit: Int64
  ) throws(FileError) -> InputFile? {
    var spool = try create()
    var block = [UInt8](repeating: 0, count: blockSize)
    while true {
      let count: Int
      do throws(Errno) {
        count = try block.withMutableBytes { buffer throws(Errno) in
          try unsafe buffer.withUnsafeMutableBytes { bytes throws(Errno) in
            try unsafe POSIX.read(StandardStream.input.rawValue, into: bytes)
          }
        }
      } catch {
        if StandardStream.input.isClosed {
          throw FileError(.open, name, error, detail: "standard input is closed")
        }
        guard error == .isDirectory else { throw FileError(.read, name, error) }
        throw FileError(.open, name, error, detail: "standard input is a folder")
      }
      guard count > 0 else { return try spool.file.reopenedForReading(as: name) }
      guard spool.byteCount + Int64(count) <= limit else { return nil }
      try spool.write(unsafe block.borrowedSpan.bytes.extracting(first: count))
    }
  }
}
