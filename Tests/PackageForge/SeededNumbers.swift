/// Reproducible random numbers (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }

  /// Returns incompressible bytes.
  package static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = SeededNumbers(seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      var number = numbers.next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: number))
        number >>= 8
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Returns repeating bytes with a random one every `interval` bytes.
  package static func compressibleBytes(_ count: Int, randomEvery interval: Int) -> [UInt8] {
    var numbers = SeededNumbers(1)
    return (0..<count).map { index in
      index % interval == 0 ? UInt8(truncatingIfNeeded: numbers.next()) : UInt8(index / 7 % 251)
    }
  }
}
