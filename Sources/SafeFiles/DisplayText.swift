extension String {
  /// The bytes of a name as text for messages and reports, with what a terminal must not see written as an
  /// escape.
  ///
  /// Controls, bidirectional controls, invisible and unassigned characters become `\u{202E}`, bytes that are not
  /// UTF-8 become `\xFF`; everything else stays, so that displaying twice does no harm.
  package init(displaying bytes: some Collection<UInt8>) {
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) }) {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    self.init()
    var parser = Unicode.UTF8.ForwardParser()
    var remaining = bytes.makeIterator()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &remaining) {
      case .emptyInput: return
      case .valid(let encoded):
        rest = rest.dropFirst(encoded.count)
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.isHiddenInText {
          self += "\\u{\(Self.hexadecimal(scalar.value, width: 4))}"
        } else {
          unicodeScalars.append(scalar)
        }
      case .error(let length):
        for byte in rest.prefix(length) { self += "\\x" + Self.hexadecimal(UInt32(byte), width: 2) }
        rest = rest.dropFirst(length)
      }
    }
  }

  /// Upper-case hexadecimal digits, with leading zeros up to `width`.
  private static func hexadecimal(_ value: UInt32, width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

extension Unicode.Scalar {
  /// Whether the scalar does not show, moves what stands around it, or has no agreed meaning: a control, a
  /// format character, a separator of lines, an unassigned code point.
  ///
  /// Variation selectors do not show either, but belong to ordinary emoji and ideographs.
  package var isHiddenInText: Bool {
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: return true
    default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }
}
