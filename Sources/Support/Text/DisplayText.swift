extension String {
  /// Creates text for messages and reports from the bytes of a name, and escapes everything that a terminal must not
  /// receive.
  ///
  /// Control characters, bidirectional controls, invisible and unassigned characters become escapes such as `\u{202E}`.
  /// Bytes that are not UTF-8 become escapes such as `\xFF`. Everything else is unchanged, so a second escaping has no
  /// effect.
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
          self += "\\u{\(String(scalar.value, radix: 16, uppercase: true, width: 4))}"
        } else {
          unicodeScalars.append(scalar)
        }
      case .error(let length):
        for byte in rest.prefix(length) { self += "\\x" + String(byte, radix: 16, uppercase: true, width: 2) }
        rest = rest.dropFirst(length)
      }
    }
  }

  /// The text with an ellipsis in place of the user information, query and fragment of each address (RFC 3986), which
  /// may be secrets.
  ///
  /// If a password contains a slash, the text before the slash looks like a host and a port. So with a colon before the
  /// first slash, everything up to an `@` counts as user information.
  package var hidingSecretsOfAddresses: String {
    guard contains(":/") else { return self }
    return replacing(#/(:\/\/|\b(?:https?|s3):\/?)(?:[^\s\/?#]*|[^\s\/?#]*:\S*)@/#) { "\($0.1)…@" }
      .replacing(#/(:\/\/[^\s?#'"]*[?#])\S+?(['",;:.)]*(?:\s|$))/#) { "\($0.1)…\($0.2)" }
  }

  /// Creates text from a message of the argument parser, which quotes arguments: removes the leading "Error: " and the
  /// secrets of addresses.
  package init(displayingUsageError text: String) {
    let shown = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(displaying: $0.utf8) }.joined(separator: "\n")
    let head = "Error: "
    self = (shown.hasPrefix(head) ? String(shown.dropFirst(head.count)) : shown).hidingSecretsOfAddresses
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is invisible, reorders the text around it, or has no assigned meaning: a control character, a
  /// format character, a line separator, or an unassigned code point.
  ///
  /// Variation selectors are invisible too, but they are part of ordinary emoji and ideographs.
  package var isHiddenInText: Bool {
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: return true
    default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }
}
