import Support

/// The percent-encoding of all characters except unreserved ones (RFC 3986, section 2.3).
package enum PercentEncoding {
  /// Encodes a part of a query.
  package static func encode(_ text: String) -> String { encode(text, keeping: nil) }

  /// Encodes a path and keeps its `/`.
  package static func encodePath(_ text: String) -> String { encode(text, keeping: UInt8(ascii: "/")) }

  private static func encode(_ text: String, keeping kept: UInt8?) -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) || byte == kept {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true, width: 2)
      }
    }
    return result
  }

  /// Decodes a text with `+` as space; nil for an invalid escape or invalid UTF-8.
  package static func decode(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, !digits.contains(UInt8(ascii: "+")), let digits = String(digits),
          let value = UInt8(digits, radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Decodes a part of a path; nil for an invalid escape or invalid UTF-8.
  package static func decodePath(_ text: some StringProtocol) -> String? {
    decode(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B"))
  }

  /// Returns whether a byte is an unreserved character, which URLs never escape (RFC 3986, section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
