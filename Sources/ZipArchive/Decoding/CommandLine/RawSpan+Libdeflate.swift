#if COMMAND_LINE_TOOL
import CDeflate

extension RawSpan {
  /// Returns the CRC-32 of these bytes after bytes whose checksum is `value` (`libdeflate_crc32`). The span must not be
  /// empty.
  func crc32(after value: UInt32) -> UInt32 {
    unsafe withUnsafeBytes { unsafe libdeflate_crc32(value, $0.baseAddress, $0.count) }
  }
}
#endif
