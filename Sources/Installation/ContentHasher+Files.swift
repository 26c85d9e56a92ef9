import ContentPackage
import SafeFiles
import Support

extension ContentHasher {
  /// The digest of a file, whose bytes `progress` counts.
  ///
  /// - Throws: `SourceError`, or `Interruption`.
  func digest(
    of file: some ByteSource, cancellation: Cancellation, progress: WorkProgress
  ) throws -> ContentDigest {
    restart()
    let isWhole = try file.forEachBlock { block in
      try cancellation.check()
      update(block)
      progress.advance(by: Int64(block.byteCount))
    }
    guard isWhole else { throw SourceError.changed(file.name) }
    return finish()
  }
}
