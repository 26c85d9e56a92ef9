import Support

/// Data in the zlib format (RFC 1950): a header of two bytes, a deflate stream, and a checksum of four.
package enum ZlibData {
  /// Decodes data in memory.
  ///
  /// - Returns: Nil unless the data decode to exactly `count` bytes with a correct checksum.
  package static func decode(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    guard let inflater = Inflater.make() else { return nil }
    var decoded = [UInt8](repeating: 0, count: count)
    let isDecoded = decoded.withMutableBytes {
      inflater.inflate(unsafe bytes.borrowedSpan.bytes, .zlib, into: &$0)
    }
    return isDecoded ? decoded : nil
  }
}
