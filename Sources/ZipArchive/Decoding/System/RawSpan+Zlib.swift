#if !COMMAND_LINE_TOOL
import CZlib

extension RawSpan {
  /// Returns the CRC-32 of these bytes after bytes whose checksum is `value` (`crc32_z`). The span must not be empty.
  func crc32(after value: UInt32) -> UInt32 {
    unsafe withUnsafeBytes { bytes in
      let first = unsafe bytes.baseAddress?.assumingMemoryBound(to: Bytef.self)
      return UInt32(truncatingIfNeeded: unsafe crc32_z(uLong(value), first, bytes.count))
    }
  }
}
#endif
