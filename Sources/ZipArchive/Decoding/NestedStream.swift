/// Decodes the beginning of a compressed file of the content, to recognize its content.
package enum NestedStream {
  /// The compression format of a stream.
  package enum Method: Sendable, CaseIterable {
    case gzip, bzip2, xz, lzma, lzip, zstd, lz4, compress
  }

  /// The first decoded bytes of a stream.
  package struct Beginning: Sendable {
    /// The decoded bytes, up to the requested number.
    package let bytes: [UInt8]
    /// Whether the stream ends after these bytes.
    package let isComplete: Bool
    /// The error that stopped decoding: one lower-case sentence without a full stop, safe to print.
    package let error: String?
  }

  /// The maximum number of compressed bytes that are read. A few decoded kilobytes need no more: the largest
  /// unit that must be read as a whole is a block of LZ4's older form, with 8 MiB of content.
  static let maximumCompressedSize: Int64 = 16 << 20
}
