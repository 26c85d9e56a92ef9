/// Reproducible random numbers (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }

  /// Returns incompressible bytes.
  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = SeededNumbers(seed)
    return (0..<(count + 7) / 8).flatMap { _ in
      let number = numbers.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }.dropLast((8 - count % 8) % 8)
  }
}
