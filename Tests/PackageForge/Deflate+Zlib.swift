internal import CZlib

extension Deflate {
  /// Deflates content with zlib. A part that is not final ends in an empty stored block, and the next part does not
  /// refer to it.
  package static func packed(_ content: [UInt8], isFinal: Bool = true) -> [UInt8] {
    // zlib requires that the address of the stream does not change.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    let result = unsafe deflateInit2_(
      stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib has no memory")
    defer { unsafe deflateEnd(stream) }
    var input = content
    // The empty block at the end of a part needs a few more bytes.
    let room = Int(unsafe deflateBound(stream, uLong(content.count))) + 16
    return unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = uInt(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = uInt(output.count)
        unsafe deflate(stream, isFinal ? Z_FINISH : Z_FULL_FLUSH)
      }
      count = unsafe output.count - Int(stream.pointee.avail_out)
    }
  }
}
