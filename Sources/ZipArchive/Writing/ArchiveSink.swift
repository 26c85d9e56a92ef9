import SafeFiles

/// Receives the archive that libarchive writes, and keeps the error if writing fails.
final class ArchiveSink {
  let buffer: SpoolBuffer
  /// The error of the last write, if it failed.
  private(set) var error: FileError?

  init(_ buffer: SpoolBuffer) { self.buffer = buffer }

  /// Appends `bytes`.
  ///
  /// - Returns: `false` if writing fails, with the error in `error`.
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
