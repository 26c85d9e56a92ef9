#if !COMMAND_LINE_TOOL
extension XXH3 {
  /// The state of the long form: eight lanes, which accumulate stripes of 64 bytes.
  struct Lanes {
    private static let stripesPerBlock = (secretSize - stripeSize) / 8

    private var lanes = SIMD8<UInt64>(
      prime32.2, prime64.0, prime64.1, prime64.2, prime64.3, prime32.1, prime64.4, prime32.0)
    /// The number of stripes of the current block.
    private var stripe = 0

    /// The parts of the secret for each stripe of a block and for the end of the block, and for the last stripe.
    private static let keys = (0...stripesPerBlock).map { key(8 * $0) }
    private static let lastKey = key(secretSize - stripeSize - 7)

    private static func key(_ offset: Int) -> SIMD8<UInt64> {
      var key = SIMD8<UInt64>()
      for lane in key.indices { key[lane] = secret(offset + 8 * lane) }
      return key
    }

    /// Adds whole stripes.
    mutating func add(_ bytes: RawSpan) {
      let keys = Self.keys
      for offset in stride(from: 0, to: bytes.byteCount, by: stripeSize) {
        add(bytes, offset, keys[stripe])
        stripe += 1
        guard stripe == Self.stripesPerBlock else { continue }
        lanes = (lanes ^ lanes &>> 47 ^ keys[stripe]) &* prime32.0
        stripe = 0
      }
    }

    private mutating func add(_ bytes: RawSpan, _ offset: Int, _ key: SIMD8<UInt64>) {
      let words = SIMD8(
        word(bytes, offset), word(bytes, offset + 8), word(bytes, offset + 16), word(bytes, offset + 24),
        word(bytes, offset + 32), word(bytes, offset + 40), word(bytes, offset + 48), word(bytes, offset + 56)
      )
      var swapped = words
      (swapped.evenHalf, swapped.oddHalf) = (words.oddHalf, words.evenHalf)
      let keyed = words ^ key
      lanes = lanes &+ swapped &+ (keyed & 0xFFFF_FFFF) &* (keyed &>> 32)
    }

    /// Returns the digest of `total` bytes, of which the last 64 are `last`.
    func finish(_ last: RawSpan, total: UInt64) -> ContentDigest {
      var end = self
      end.add(last, 0, Self.lastKey)
      return ContentDigest(
        high: end.merged(secretSize - stripeSize - 11, ~(total &* prime64.1)),
        low: end.merged(11, total &* prime64.0))
    }

    private func merged(_ offset: Int, _ start: UInt64) -> UInt64 {
      var sum = start
      for pair in 0..<4 {
        sum &+= foldedProduct(
          lanes[2 * pair] ^ secret(offset + 16 * pair), lanes[2 * pair + 1] ^ secret(offset + 16 * pair + 8))
      }
      return avalanche(sum)
    }
  }
}
#endif
