package import SafeFiles

/// Bytes that are kept in memory, and in an unnamed file once there are many.
package final class SpoolBuffer {
  /// The number of bytes that are kept in memory before a spool file is made.
  private static let memoryLimit = 2 * 1024 * 1024

  private let folder: String
  private var memory: [UInt8] = []
  private var spool: SpoolFile?

  /// - Parameter folder: the folder of the spool file.
  package init(folder: String) { self.folder = folder }

  package func append(_ bytes: RawSpan) throws(FileError) {
    if spool == nil {
      guard memory.count + bytes.byteCount > Self.memoryLimit else {
        unsafe bytes.withUnsafeBytes { unsafe memory.append(contentsOf: $0) }
        return
      }
      spool = try SpoolFile.create(in: folder)
      try spool?.write(unsafe memory.span.bytes)
      memory = []
    }
    try spool?.write(bytes)
  }

  /// All appended bytes. Call it once.
  package func finish() throws(FileError) -> any ByteSource {
    guard let spool = spool.take() else { return MemoryBytes(memory) }
    return try spool.finish()
  }
}
