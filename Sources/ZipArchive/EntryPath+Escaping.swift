extension EntryPath {
  /// The path as text for messages and reports, with what a terminal must not see written as an escape.
  ///
  /// Controls, bidirectional controls, invisible and unassigned characters become `\u{202E}`, bytes that are
  /// not UTF-8 become `\xFF`. A backslash is doubled only where it could be taken for the start of an escape.
  package var escaped: String {
    var result = ""
    var backslashIsPending = false

    func append(_ text: String) {
      if backslashIsPending {
        let wouldRead = text.first.map { "\\ux".contains($0) } ?? false
        result += wouldRead ? "\\\\" : "\\"
      }
      backslashIsPending = text == "\\"
      if !backslashIsPending { result += text }
    }

    var parser = Unicode.UTF8.ForwardParser()
    var remaining = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &remaining) {
      case .emptyInput:
        append("")
        return result
      case .valid(let encoded):
        position += encoded.count
        let scalar = Unicode.UTF8.decode(encoded)
        append(scalar.isHiddenInText ? "\\u{\(hex(scalar.value, width: 4))}" : String(scalar))
      case .error(let length):
        for byte in bytes[position..<position + length] { append("\\x" + hex(UInt32(byte), width: 2)) }
        position += length
      }
    }
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

/// Upper-case hexadecimal digits, with leading zeros up to `width`.
private func hex(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
