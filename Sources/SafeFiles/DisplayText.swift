extension String {
  /// The bytes of a name as text that is safe in a message or on a terminal.
  ///
  /// Control and format characters (which include those that reverse the direction of text) and line
  /// separators become `\u{…}`; if the bytes are not UTF-8, all that are not printable ASCII become `\xNN`.
  package init(displaying bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      let isSafe = text.utf8.allSatisfy { Self.printableASCII.contains($0) }
      self = isSafe ? text : String(text.unicodeScalars.flatMap(Self.shown))
    } else {
      self = bytes.reduce(into: "") { text, byte in
        if Self.printableASCII.contains(byte) {
          text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
    }
  }

  private static let printableASCII: ClosedRange<UInt8> = 0x20...0x7E

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    default: String(scalar)
    }
  }
}
