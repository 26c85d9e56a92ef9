import SafeFiles

/// Where libarchive's write callback puts an archive, and why it could not.
final class ArchiveSink {
  let buffer: SpoolBuffer
  /// Why the last write failed, if it did.
  private(set) var failure: FileFailure?

  init(_ buffer: SpoolBuffer) { self.buffer = buffer }

  /// Adds `bytes`.
  ///
  /// - Returns: false if they cannot be written, with the reason in `failure`.
  func take(_ bytes: RawSpan) -> Bool {
    do throws(FileFailure) {
      try buffer.append(bytes)
      return true
    } catch {
      failure = error
      return false
    }
  }
}
