import ContentPackage
import SafeFiles
import Support

extension ContentHasher {
  /// Returns the digest of a file and advances the progress by the bytes read.
  ///
  /// - Throws: `SourceError`, `Interruption`.
  func digest(
    of file: some ByteSource, in context: WorkContext
  ) throws -> ContentDigest {
    restart()
    let isComplete = try file.forEachBlock { block in
      try context.cancellation.check()
      update(block)
      context.progress.advance(by: Int64(block.byteCount))
    }
    guard isComplete else { throw SourceError.changed(file.name) }
    return finish()
  }
}
