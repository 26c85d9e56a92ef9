/// The binary forms of values that are not containers.
enum BinaryScalar {
  /// Decodes an object that is not a container.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable`.
  static func value(
    of object: BinaryObject, in layout: BinaryLayout
  ) throws(PropertyListError) -> PropertyListValue {
    let payload = layout.bytes[object.payload]
    switch object.kind {
    case .boolean:
      return .boolean(object.marker == BinaryObject.trueMarker)
    case .integer:
      return .integer(integer(payload))
    case .uid:
      return .uid(BinaryLayout.number(in: payload))
    case .real:
      return .real(real(payload))
    case .date:
      let seconds = real(payload)
      guard seconds.isFinite else { throw .binary("a date is not a finite number") }
      return .date(seconds)
    case .data:
      return .data(Array(payload))
    case .ascii:
      guard payload.allSatisfy({ $0 < 0x80 }), let text = String(validating: payload, as: UTF8.self) else {
        throw .binary("an ASCII string has characters that are not ASCII")
      }
      return .string(text)
    case .utf16:
      let units = utf16Units(ofBigEndian: payload)
      guard let text = String(validating: units, as: UTF16.self) else {
        throw .binary("a string is not valid UTF-16")
      }
      return .string(text)
    case .array, .dictionary:
      throw .binary("found a container, expected a plain value")
    }
  }

  /// Returns the object for a string: marker, length and characters.
  static func bytes(of string: String) -> [UInt8] {
    let isASCII = string.utf8.allSatisfy { $0 < 0x80 }
    let kind: BinaryObject.Kind = isASCII ? .ascii : .utf16
    let payload = isASCII ? Array(string.utf8) : string.utf16.flatMap { bytes(of: UInt64($0), count: 2) }
    let count = isASCII ? payload.count : payload.count / 2
    guard count >= BinaryObject.longCount else { return [kind.rawValue << 4 | UInt8(count)] + payload }
    // An integer of 1, 2 or 4 bytes is enough for every count below the size limit.
    let exponent: UInt8 = count <= UInt8.max ? 0 : count <= UInt16.max ? 1 : 2
    let marker = kind.rawValue << 4 | UInt8(BinaryObject.longCount)
    let lengthMarker = BinaryObject.Kind.integer.rawValue << 4 | exponent
    return [marker, lengthMarker] + bytes(of: UInt64(count), count: 1 << Int(exponent)) + payload
  }

  /// Returns the lowest `count` bytes of a number in big-endian order.
  static func bytes(of number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// Decodes an integer. Integers of 8 and 16 bytes are signed, shorter integers are unsigned.
  private static func integer(_ payload: ArraySlice<UInt8>) -> Int128 {
    let low = BinaryLayout.number(in: payload.suffix(8))
    return switch payload.count {
    case 16: Int128(Int64(bitPattern: BinaryLayout.number(in: payload.prefix(8)))) << 64 | Int128(low)
    case 8: Int128(Int64(bitPattern: low))
    default: Int128(low)
    }
  }

  private static func real(_ payload: ArraySlice<UInt8>) -> Double {
    let pattern = BinaryLayout.number(in: payload)
    return payload.count == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
  }
}
