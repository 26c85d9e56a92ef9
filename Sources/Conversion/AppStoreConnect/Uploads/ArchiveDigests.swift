import Crypto
import SafeFiles
import Support

/// The digests of an archive: SHA-256, by which iapkg recognizes it, and MD5, which App Store Connect compares.
struct ArchiveDigests {
  let sha256: Support.SHA256Digest
  /// In hexadecimal, with lower-case letters.
  let md5: String

  /// Reads an archive.
  ///
  /// - Throws: `SourceError`, `Interruption`.
  init(of archive: InputFile, _ cancellation: Cancellation) throws {
    var sha256 = SHA256Hasher()
    var md5 = Insecure.MD5()
    let isComplete = try archive.forEachBlock { block in
      try cancellation.check()
      sha256.update(block)
      unsafe block.withUnsafeBytes { unsafe md5.update(bufferPointer: $0) }
    }
    guard isComplete else { throw SourceError.endedEarly(archive.name) }
    self.sha256 = sha256.finish()
    self.md5 = String(hexadecimal: md5.finalize())
  }
}
