import CDeflate

/// Inflates what lies in memory as a whole, through libdeflate; owns one decompressor.
///
/// It takes half of zlib's time. It says only that it failed, not why.
@safe struct Inflater: ~Copyable {
  private let handle: OpaquePointer

  /// Nil if there is no memory.
  init?() {
    guard let handle = unsafe libdeflate_alloc_decompressor() else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe libdeflate_free_decompressor(handle) }

  /// Inflates a stream without header or trailer (RFC 1951): the first `streamCount` bytes of `input`.
  ///
  /// - Returns: false if it does not take all of them, or does not make exactly `count` bytes; anything is then at
  ///   the beginning of `output`.
  func inflate(_ input: [UInt8], first streamCount: Int, into output: inout [UInt8], count: Int) -> Bool {
    unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        var taken = 0
        // Without a place for the number of bytes made, fewer than there is room for are a failure (libdeflate.h).
        let result = unsafe libdeflate_deflate_decompress_ex(
          handle, input.baseAddress, min(streamCount, input.count), output.baseAddress,
          min(count, output.count),
          &taken, nil)
        return result == LIBDEFLATE_SUCCESS && taken == streamCount
      }
    }
  }
}
