#if !COMMAND_LINE_TOOL
/// The forms for inputs of up to 240 bytes.
extension XXH3 {
  static func digest(ofShort bytes: RawSpan) -> ContentDigest {
    switch bytes.byteCount {
    case 0:
      ContentDigest(high: finalMix(secret(80) ^ secret(88)), low: finalMix(secret(64) ^ secret(72)))
    case 1...3: digest(ofUpTo3: bytes)
    case 4...8: digest(ofUpTo8: bytes)
    case 9...16: digest(ofUpTo16: bytes)
    case 17...128: digest(ofUpTo128: bytes)
    default: digest(ofUpTo240: bytes)
    }
  }

  /// The last step of XXH64.
  private static func finalMix(_ value: UInt64) -> UInt64 {
    var value = (value ^ value >> 33) &* prime64.1
    value = (value ^ value >> 29) &* prime64.2
    return value ^ value >> 32
  }

  private static func digest(ofUpTo3 bytes: RawSpan) -> ContentDigest {
    func byte(_ index: Int) -> UInt32 {
      UInt32(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    let count = bytes.byteCount
    let low = byte(0) << 16 | byte(count >> 1) << 24 | byte(count - 1) | UInt32(count) << 8
    let high = low.byteSwapped << 13 | low.byteSwapped >> 19
    let (first, second) = (secret(0), secret(8))
    return ContentDigest(
      high: finalMix(UInt64(high) ^ (second & 0xFFFF_FFFF ^ second >> 32)),
      low: finalMix(UInt64(low) ^ (first & 0xFFFF_FFFF ^ first >> 32)))
  }

  private static func digest(ofUpTo8 bytes: RawSpan) -> ContentDigest {
    let count = bytes.byteCount
    let input = UInt64(halfWord(bytes, 0)) | UInt64(halfWord(bytes, count - 4)) << 32
    var (high, low) = product(input ^ secret(16) ^ secret(24), prime64.0 &+ UInt64(count) << 2)
    high &+= low << 1
    low ^= high >> 3
    low = (low ^ low >> 35) &* 0x9FB2_1C65_1E98_DF25
    return ContentDigest(high: avalanche(high), low: low ^ low >> 28)
  }

  private static func digest(ofUpTo16 bytes: RawSpan) -> ContentDigest {
    let count = bytes.byteCount
    let first = word(bytes, 0)
    var last = word(bytes, count - 8)
    var (high, low) = product(first ^ last ^ secret(32) ^ secret(40), prime64.0)
    low &+= UInt64(count - 1) << 54
    last ^= secret(48) ^ secret(56)
    high &+= last &+ (last & 0xFFFF_FFFF) &* (prime32.1 - 1)
    low ^= high.byteSwapped
    let result = product(low, prime64.1)
    return ContentDigest(
      high: avalanche(result.high &+ high &* prime64.1), low: avalanche(result.low))
  }

  /// Two sums, which accumulate pairs of 16 bytes.
  private struct Sums {
    var low: UInt64
    var high: UInt64 = 0

    mutating func add(
      _ bytes: RawSpan, _ first: Int, _ second: Int, _ offset: Int
    ) {
      low &+= mix(bytes, first, offset)
      low ^= word(bytes, second) &+ word(bytes, second + 8)
      high &+= mix(bytes, second, offset + 16)
      high ^= word(bytes, first) &+ word(bytes, first + 8)
    }

    private func mix(_ bytes: RawSpan, _ start: Int, _ offset: Int) -> UInt64 {
      foldedProduct(
        word(bytes, start) ^ secret(offset), word(bytes, start + 8) ^ secret(offset + 8))
    }

    func finish(_ count: Int) -> ContentDigest {
      let mixed = low &* prime64.0 &+ high &* prime64.3 &+ UInt64(count) &* prime64.1
      return ContentDigest(high: 0 &- avalanche(mixed), low: avalanche(low &+ high))
    }
  }

  private static func digest(ofUpTo128 bytes: RawSpan) -> ContentDigest {
    let count = bytes.byteCount
    var sums = Sums(low: UInt64(count) &* prime64.0)
    for pair in stride(from: (count - 1) / 32, through: 0, by: -1) {
      sums.add(bytes, 16 * pair, count - 16 * (pair + 1), 32 * pair)
    }
    return sums.finish(count)
  }

  private static func digest(ofUpTo240 bytes: RawSpan) -> ContentDigest {
    let count = bytes.byteCount
    var sums = Sums(low: UInt64(count) &* prime64.0)
    for round in 0..<4 { sums.add(bytes, 32 * round, 32 * round + 16, 32 * round) }
    (sums.low, sums.high) = (avalanche(sums.low), avalanche(sums.high))
    for round in 4..<count / 32 { sums.add(bytes, 32 * round, 32 * round + 16, 3 + 32 * (round - 4)) }
    sums.add(bytes, count - 16, count - 32, 136 - 17 - 16)
    return sums.finish(count)
  }
}
#endif
