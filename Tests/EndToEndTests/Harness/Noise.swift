/// Incompressible bytes, different each time, that no known file format begins with.
enum Noise {
  /// Returns `count` bytes, rounded down to a multiple of eight. They come from SplitMix64, because each random number of
  /// the system costs a system call.
  static func bytes(_ count: Int) -> [UInt8] {
    var state = UInt64.random(in: .min ... .max)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count + 8 <= count {
      state &+= 0x9E37_79B9_7F4A_7C15
      var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
      number ^= number >> 31
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    if !bytes.isEmpty { bytes[0] = UInt8(ascii: "_") }
    return bytes
  }
}
