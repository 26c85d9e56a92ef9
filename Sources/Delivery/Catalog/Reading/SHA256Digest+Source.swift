package import ContentPackage
package import SafeFiles
package import Support

extension SHA256Digest {
  /// Computes the digest of a source and reports its bytes to `progress`.
  ///
  /// - Throws: `SourceError`, with `.changed` if the source has fewer bytes than its `byteCount`, or `Interruption`.
  package init(
    of source: any ByteSource, cancellation: Cancellation, progress: WorkProgress? = nil
  ) throws {
    var hasher = SHA256Hasher()
    let isComplete = try source.forEachBlock { block in
      try cancellation.check()
      hasher.update(block)
      progress?.advance(by: Int64(block.byteCount))
    }
    guard isComplete else { throw SourceError.changed(source.name) }
    self = hasher.finish()
  }
}
