import Support

/// Private keys as JSON objects (RFC 7517), including objects in JSON strings.
enum JSONWebKey {
  /// Returns whether bytes have a complete private key of RSA (RFC 7518, 6.3) or of an elliptic curve (RFC 7518, 6.2, and
  /// RFC 8037), in UTF-8 or UTF-16. A public key lacks the member `d`.
  static func isPrivate(in bytes: Span<UInt8>) -> Bool {
    var (start, unendedCount) = (0, 0)
    while let match = bytes.firstText("kty", anchor: 0, from: start) {
      switch match {
      case .bytes(let name):
        guard name.lowerBound > start, bytes[name.lowerBound - 1] == UInt8(ascii: "\"") else {
          start = name.upperBound
          continue
        }
        guard let object = object(in: bytes, around: name, after: start) else {
          unendedCount += 1
          if unendedCount == maximumUnendedCount { return false }
          start = name.upperBound
          continue
        }
        if isPrivate(object.text.borrowedSpan) { return true }
        start = object.end
      case .utf16(let position):
        let text = bytes.utf16Text(around: position)
        if isPrivate(in: text.characters.borrowedSpan) { return true }
        start = text.end
      }
    }
    return false
  }

  /// The maximum number of objects without end, each of which is searched to the end of the text.
  private static let maximumUnendedCount = 16

  /// Returns the JSON object around a name, without the backslashes that escape quotes in a string, and the position after
  /// the object; nil for an object that does not end.
  private static func object(
    in bytes: Span<UInt8>, around name: Range<Int>, after start: Int
  ) -> (text: [UInt8], end: Int)? {
    var (first, closed) = (name.lowerBound, 0)
    while first > start {
      first -= 1
      if bytes[first] == UInt8(ascii: "}") { closed += 1 }
      guard bytes[first] == UInt8(ascii: "{") else { continue }
      if closed == 0 { break }
      closed -= 1
    }
    var (end, open) = (name.upperBound, 1)
    while open > 0 {
      guard end < bytes.count else { return nil }
      if bytes[end] == UInt8(ascii: "{") { open += 1 }
      if bytes[end] == UInt8(ascii: "}") { open -= 1 }
      end += 1
    }
    return ((first..<end).map { bytes[$0] }.filter { $0 != UInt8(ascii: "\\") }, end)
  }

  private static func isPrivate(_ object: Span<UInt8>) -> Bool {
    let lengths = valueLengths(of: "\"d\"", in: object, where: isKeyCharacter)
    guard !lengths.isEmpty else { return false }
    if has("\"kty\"", "RSA", in: object) {
      // The number d has about as many bits as the modulus.
      return valueLengths(of: "\"n\"", in: object, where: isKeyCharacter).contains { modulus in
        modulus >= minimumModulusLength && lengths.contains { abs($0 - modulus) <= maximumLengthDifference }
      }
    }
    guard has("\"kty\"", "EC", in: object) || has("\"kty\"", "OKP", in: object) else { return false }
    return curves.contains { has("\"crv\"", $0.name, in: object) && lengths.contains($0.length) }
  }

  /// The number of characters of a modulus of 512 bits.
  private static let minimumModulusLength = 86
  /// The maximum difference between the lengths of a modulus and of its private number, in characters.
  private static let maximumLengthDifference = 8

  /// The curves, and the number of characters of a private key in base64url.
  private static let curves: [(name: StaticString, length: Int)] = [
    ("P-256", 43), ("secp256k1", 43), ("P-384", 64), ("P-521", 88), ("Ed25519", 43), ("X25519", 43),
    ("Ed448", 76), ("X448", 75),
  ]

  private static func has(_ name: StaticString, _ value: StaticString, in object: Span<UInt8>) -> Bool {
    values(of: name, in: object).contains {
      $0.count == value.utf8CodeUnitCount && object.has(value, at: $0.lowerBound)
    }
  }

  /// Returns the lengths of the values of all members with a name. Padding does not count, and values with invalid
  /// characters are ignored.
  private static func valueLengths(
    of name: StaticString, in object: Span<UInt8>, where isValid: (UInt8) -> Bool
  ) -> [Int] {
    values(of: name, in: object).compactMap { value in
      var end = value.upperBound
      while end > value.lowerBound, object[end - 1] == UInt8(ascii: "=") { end -= 1 }
      return object.all(value.lowerBound..<end, isValid) ? end - value.lowerBound : nil
    }
  }

  /// Returns the ranges of the string values of all members with a name. `name` includes the quotes.
  private static func values(of name: StaticString, in object: Span<UInt8>) -> [Range<Int>] {
    var values: [Range<Int>] = []
    var position = 0
    while let found = object.firstRange(of: name, anchor: 0, from: position) {
      position = found.upperBound
      var start = position
      while start < object.count, separators.contains(object[start]) { start += 1 }
      guard start > position, start < object.count, object[start] == UInt8(ascii: "\"") else { continue }
      var end = start + 1
      while end < object.count, object[end] != UInt8(ascii: "\"") { end += 1 }
      values.append(start + 1..<end)
    }
    return values
  }

  /// The characters between a name and its value.
  private static let separators = Array(": \t\r\n".utf8)

  private static func isKeyCharacter(_ byte: UInt8) -> Bool {
    byte.isBase64 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
