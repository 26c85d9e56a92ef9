import Crypto
import SafeFiles

/// SHA-256 of bytes as they come (FIPS 180-4).
struct ContentDigest {
  private var hash = SHA256()

  mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// The digest of all bytes so far, in 64 hexadecimal digits.
  func finish() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private static let blockSize = 1 << 20

  /// The digest of a whole file, whose bytes `progress` counts.
  ///
  /// - Throws: `FileFailure` with operation `read`, or `Interruption`.
  static func digest(
    of file: InputFile, cancellation: Cancellation, progress: WorkProgress
  ) throws -> String {
    var digest = ContentDigest()
    var offset: Int64 = 0
    while offset < file.byteCount {
      try cancellation.check()
      let block = try file.bytes(at: offset, count: blockSize)
      guard !block.isEmpty else { throw SourceChanged(path: file.path) }
      digest.update(unsafe block.span.bytes)  // any UInt8 is a byte
      offset += Int64(block.count)
      progress.advance(by: Int64(block.count))
    }
    return digest.finish()
  }
}
