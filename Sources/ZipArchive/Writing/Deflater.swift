#if COMMAND_LINE_TOOL
import CDeflate

/// Deflates data in memory with libdeflate. Owns one compressor.
///
/// For game data, libdeflate takes a third of zlib's time for the same sizes. It cannot stream, so large files are
/// deflated in chunks; see `ChunkDeflater`.
@safe package struct Deflater: ~Copyable {
  private let handle: OpaquePointer
  /// The compression level, 1 to 12.
  package let level: Int

  /// Creates a deflater.
  ///
  /// - Parameter level: 1 to 12. The results of 6 and 9 are close to those of zlib's levels 6 and 9.
  /// - Throws: `CompressionError.outOfMemory`.
  package init(level: Int) throws(CompressionError) {
    guard let handle = unsafe libdeflate_alloc_compressor(CInt(level)) else {
      throw .outOfMemory
    }
    unsafe self.handle = unsafe handle
    self.level = level
  }

  deinit { unsafe libdeflate_free_compressor(handle) }

  /// Deflates `bytes` into a stream without header and trailer (RFC 1951).
  ///
  /// - Returns: Nil if the stream would be longer than `limit` bytes.
  package func deflate(_ bytes: RawSpan, limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let result = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe libdeflate_deflate_compress(handle, bytes.baseAddress, bytes.count, buffer.baseAddress, limit)
      }
    }
    return result.isEmpty ? nil : result
  }

  /// Deflates `bytes` into a stream, which may be longer than `bytes`.
  package func deflate(_ bytes: RawSpan) -> [UInt8] {
    // Never nil: the limit is the maximum length.
    deflate(bytes, limit: unsafe libdeflate_deflate_compress_bound(handle, bytes.byteCount)) ?? []
  }
}
#endif
