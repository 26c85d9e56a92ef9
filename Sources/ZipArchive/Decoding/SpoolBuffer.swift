package import SafeFiles
import Support

/// A byte buffer in memory that moves to an unnamed file once it is large.
package final class SpoolBuffer {
  /// The number of bytes kept in memory before a spool file is created.
  private static let memoryLimit = 2 * 1024 * 1024

  private let folder: String
  private var memory: [UInt8] = []
  private var spool: SpoolFile?

  /// Creates an empty buffer.
  ///
  /// - Parameter folder: The folder of the spool file.
  package init(folder: String) { self.folder = folder }

  /// Appends `bytes`.
  ///
  /// - Throws: `FileError` with operation `create` or `write`.
  package func append(_ bytes: RawSpan) throws(FileError) {
    if spool == nil {
      guard memory.count + bytes.byteCount > Self.memoryLimit else {
        unsafe bytes.withUnsafeBytes { unsafe memory.append(contentsOf: $0) }
        return
      }
      spool = try SpoolFile.create(in: folder)
      try spool?.write(unsafe memory.borrowedSpan.bytes)
      memory = []
    }
    try spool?.write(bytes)
  }

  /// Returns all appended bytes. Must be called once, after the last `append`.
  ///
  /// - Throws: `FileError` with operation `write`.
  package func finish() throws(FileError) -> any ByteSource {
    guard let spool = spool.take() else { return MemoryBytes(memory) }
    return try spool.finish()
  }
}
