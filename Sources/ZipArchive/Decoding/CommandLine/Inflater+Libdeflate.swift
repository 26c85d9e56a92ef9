#if COMMAND_LINE_TOOL
import CDeflate

/// Inflates data in memory with libdeflate. Owns one decompressor.
///
/// libdeflate takes half of zlib's time, and accepts streams that zlib rejects; see `EntryDecoder`.
@safe package struct Inflater: ~Copyable {
  /// The wrapping of a deflate stream (RFC 1951).
  package enum Format {
    /// A deflate stream alone.
    case bare
    /// With a header and a checksum (RFC 1950).
    case zlib
  }

  private let handle: OpaquePointer

  private init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe libdeflate_free_decompressor(handle) }

  /// Creates an inflater; nil if there is not enough memory.
  package static func make() -> Inflater? {
    guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
    return unsafe Inflater(owning: handle)
  }

  /// Fills `target` with the decoded `bytes`.
  ///
  /// - Returns: Whether `bytes` are exactly one stream that fills `target`, with a correct checksum if it has one.
  package func inflate(_ bytes: RawSpan, _ format: Format, into target: inout MutableRawSpan) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe target.withUnsafeMutableBytes { target in
        var used = 0
        let result =
          switch format {
          case .bare:
            unsafe libdeflate_deflate_decompress_ex(
              handle, bytes.baseAddress, bytes.count, target.baseAddress, target.count, &used, nil)
          case .zlib:
            unsafe libdeflate_zlib_decompress_ex(
              handle, bytes.baseAddress, bytes.count, target.baseAddress, target.count, &used, nil)
          }
        return result == LIBDEFLATE_SUCCESS && used == bytes.count
      }
    }
  }
}
#endif
