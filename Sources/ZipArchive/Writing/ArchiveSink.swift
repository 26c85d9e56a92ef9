import SafeFiles

/// Receives the archive that libarchive writes, and keeps the error if that does not succeed.
final class ArchiveSink {
  let buffer: SpoolBuffer
  /// The error of the last write, if it did not succeed.
  private(set) var error: FileError?

  init(_ buffer: SpoolBuffer) { self.buffer = buffer }

  /// Adds `bytes`.
  ///
  /// - Returns: false if they cannot be written. `error` then has the error.
  func take(_ bytes: RawSpan) -> Bool {
    do throws(FileError) {
      try buffer.append(bytes)
      return true
    } catch {
      self.error = error
      return false
    }
  }
}
