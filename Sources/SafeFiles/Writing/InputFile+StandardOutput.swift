import Support
import SystemPackage

extension InputFile {
  /// The number of bytes to read at once.
  private static let blockSize = 1 << 18

  /// Writes all bytes to standard output.
  ///
  /// - Throws: `FileError` with operation `read` or `write`, also if the reader has closed the pipe.
  func copyToStandardOutput() throws(FileError) {
    var buffer = [UInt8](repeating: 0, count: Self.blockSize)
    var position: Int64 = 0
    while position < byteCount {
      let count = try buffer.withMutableBytes { (bytes) throws(FileError) in
        try readFile(at: position, into: &bytes)
      }
      let block = unsafe buffer.borrowedSpan.bytes.extracting(first: count)
      do throws(Errno) {
        try unsafe block.withUnsafeBytes { bytes throws(Errno) in
          try unsafe POSIX.writeAll(StandardStream.output.rawValue, bytes)
        }
      } catch {
        throw FileError(
          .write, "standard output", error, detail: StandardStream.output.isClosed ? "it is closed" : nil)
      }
      position += Int64(count)
      guard count > 0 else { throw .becameShorter(path) }
    }
  }
}
