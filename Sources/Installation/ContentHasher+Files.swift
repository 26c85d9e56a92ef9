import ContentPackage
import SafeFiles
import Support
import ZipArchive

extension ContentHasher {
  /// The digest of a file, whose bytes `progress` counts.
  ///
  /// - Throws: `FileFailure` with operation `read`, `SourceChanged`, or `Interruption`.
  func digest(
    of file: InputFile, cancellation: Cancellation, progress: WorkProgress
  ) throws -> ContentDigest {
    restart()
    let isWhole = try EntryData.file(file, 0..<file.byteCount).forEachBlock { block in
      try cancellation.check()
      update(block)
      progress.advance(by: Int64(block.byteCount))
    }
    guard isWhole else { throw SourceChanged(path: file.path) }
    return finish()
  }
}
