#if !COMMAND_LINE_TOOL
import Support

/// The arithmetic of XXH3-128 without a seed, as the specification describes it
/// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
enum XXH3 {
  static let stripeSize = 64
  /// The maximum length in bytes of an input that is hashed as a whole.
  static let maximumShortCount = 240

  static let prime32 = (UInt64(0x9E37_79B1), UInt64(0x85EB_CA77), UInt64(0xC2B2_AE3D))
  static let prime64 = (
    UInt64(0x9E37_79B1_85EB_CA87), UInt64(0xC2B2_AE3D_27D4_EB4F), UInt64(0x1656_67B1_9E37_79F9),
    UInt64(0x85EB_CA77_C2B2_AE63), UInt64(0x27D4_EB2F_1656_67C5)
  )

  /// The default secret, 192 bytes as little-endian words.
  private static let secretWords: [UInt64] = [
    0xBE4BA423396CFEB8, 0x1CAD21F72C81017C, 0xDB979083E96DD4DE, 0x1F67B3B7A4A44072,
    0x78E5C0CC4EE679CB, 0x2172FFCC7DD05A82, 0x8E2443F7744608B8, 0x4C263A81E69035E0,
    0xCB00C391BB52283C, 0xA32E531B8B65D088, 0x4EF90DA297486471, 0xD8ACDEA946EF1938,
    0x3F349CE33F76FAA8, 0x1D4F0BC7C7BBDCF9, 0x3159B4CD4BE0518A, 0x647378D9C97E9FC8,
    0xC3EBD33483ACC5EA, 0xEB6313FAFFA081C5, 0x49DAF0B751DD0D17, 0x9E68D429265516D3,
    0xFCA1477D58BE162B, 0xCE31D07AD1B8F88F, 0x280416958F3ACB45, 0x7E404BBBCAFBD7AF,
  ]
  static let secretSize = 192
  static let secret: [UInt8] = secretWords.flatMap { word in
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
  }

  /// Returns eight bytes of the secret.
  static func secret(_ offset: Int) -> UInt64 { word(unsafe secret.borrowedSpan.bytes, offset) }

  static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  static func halfWord(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  static func avalanche(_ value: UInt64) -> UInt64 {
    let value = (value ^ value >> 37) &* 0x1656_6791_9E37_79F9
    return value ^ value >> 32
  }

  static func product(_ left: UInt64, _ right: UInt64) -> (high: UInt64, low: UInt64) {
    left.multipliedFullWidth(by: right)
  }

  static func foldedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = product(left, right)
    return product.high ^ product.low
  }
}
#endif
