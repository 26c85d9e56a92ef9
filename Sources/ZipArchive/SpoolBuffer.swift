package import SafeFiles

/// Bytes that are kept in memory while they are few, and in a file without a name once they are many.
package final class SpoolBuffer {
  /// Bytes that are kept in memory before a spool file is begun.
  private static let memoryLimit = 2 * 1024 * 1024

  private let folder: String
  private var memory: [UInt8] = []
  private var spool: SpoolFile?

  /// - Parameter folder: where the spool file is made.
  package init(folder: String) { self.folder = folder }

  package func append(_ bytes: RawSpan) throws(FileFailure) {
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

  /// All that was appended; called once.
  package func finish() throws(FileFailure) -> EntryData {
    guard let spool = spool.take() else { return .memory(memory[...]) }
    let file = try spool.finish()
    return .file(file, 0..<file.byteCount)
  }
}
