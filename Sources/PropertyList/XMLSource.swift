/// The decoded text of an XML file. libxml2 receives it as UTF-8 and does not detect the encoding again.
struct XMLSource {
  enum Encoding {
    case utf8, utf16LittleEndian, utf16BigEndian
  }

  let encoding: Encoding
  /// The length of the byte order mark in bytes.
  let markLength: Int
  /// The text after the byte order mark in UTF-8, with line feeds as line ends (XML 1.0, section 2.11).
  let text: [UInt8]

  /// Decodes an XML file.
  ///
  /// - Throws: `PropertyListError` of kind `unsafe-xml` for an encoding other than UTF-8 and UTF-16, and of kind
  ///   `unreadable` if the text cannot be XML.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    (encoding, markLength) = try Self.encoding(of: bytes)
    let content = bytes.dropFirst(markLength)
    switch encoding {
    case .utf8:
      guard Self.startsLikeXML(content) else { throw Self.notAPropertyList }
      _ = try Self.decoded(content, as: UTF8.self)
      text = Self.normalizingLineEnds(content)
    case .utf16LittleEndian, .utf16BigEndian:
      let string = try Self.decoded(Self.units(of: content, encoding), as: UTF16.self)
      text = Self.normalizingLineEnds(Array(string.utf8)[...])
    }
    guard Self.startsLikeXML(text[...]) else { throw Self.notAPropertyList }
    if let null = text.firstIndex(of: 0) {
      // libxml2 would end the text at a NUL after the root element.
      throw PropertyListError(.unreadable, line: line(at: null), "the text has a NUL character")
    }
  }

  /// Returns the line of a position in the text, counted from 1.
  func line(at position: Int) -> Int {
    1 + text.prefix(position).count { $0 == UInt8(ascii: "\n") }
  }

  /// Returns one byte for each code unit of the content: ASCII unchanged, and a byte above ASCII for everything else.
  static func shape(of content: ArraySlice<UInt8>, _ encoding: Encoding) -> [UInt8] {
    switch encoding {
    case .utf8: Array(content)
    case .utf16LittleEndian, .utf16BigEndian: units(of: content, encoding).map { UInt8(min($0, 0x80)) }
    }
  }

  /// Returns the code units of UTF-16 text. Half a unit at the end becomes an invalid unit.
  private static func units(of content: ArraySlice<UInt8>, _ encoding: Encoding) -> [UInt16] {
    var units = utf16Units(ofBigEndian: content)
    if encoding == .utf16LittleEndian { units = units.map(\.byteSwapped) }
    return content.count.isMultiple(of: 2) ? units : units + [0xDC00]
  }

  /// The first bytes of each encoding (XML 1.0, appendix F.1), longer ones first; nil for an encoding that is rejected.
  private static let signatures: [(bytes: [UInt8], name: String, encoding: Encoding?)] = [
    ([0x00, 0x00, 0xFE, 0xFF], "UTF-32", nil),
    ([0xFF, 0xFE, 0x00, 0x00], "UTF-32", nil),
    ([0x00, 0x00, 0x00, 0x3C], "UTF-32", nil),
    ([0x3C, 0x00, 0x00, 0x00], "UTF-32", nil),
    ([0x4C, 0x6F, 0xA7, 0x94], "EBCDIC", nil),
    ([0x2B, 0x2F, 0x76], "UTF-7", nil),
    ([0xEF, 0xBB, 0xBF], "UTF-8", .utf8),
    ([0xFE, 0xFF], "UTF-16", .utf16BigEndian),
    ([0xFF, 0xFE], "UTF-16", .utf16LittleEndian),
    ([0x00, 0x3C], "UTF-16 without a byte order mark", nil),
    ([0x3C, 0x00], "UTF-16 without a byte order mark", nil),
  ]

  private static func encoding(of bytes: [UInt8]) throws(PropertyListError) -> (Encoding, markLength: Int) {
    guard let signature = signatures.first(where: { bytes.starts(with: $0.bytes) }) else { return (.utf8, 0) }
    guard let encoding = signature.encoding else {
      throw PropertyListError(
        .unsafeXML, line: 1, "the text is \(signature.name), expected UTF-8, or UTF-16 with a byte order mark"
      )
    }
    return (encoding, signature.bytes.count)
  }

  /// Decodes and validates code units.
  ///
  /// - Throws: `PropertyListError` of kind `unsafe-xml` with the line of the first unit that is not valid.
  private static func decoded<Codec: UnicodeCodec>(
    _ units: some Collection<Codec.CodeUnit>, as codec: Codec.Type
  ) throws(PropertyListError) -> String {
    if let string = String(validating: units, as: codec) { return string }
    var valid = ""
    var decoder = Codec()
    var iterator = units.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid.unicodeScalars.append(scalar) }
    let line = 1 + normalizingLineEnds(Array(valid.utf8)[...]).count { $0 == UInt8(ascii: "\n") }
    throw PropertyListError(
      .unsafeXML, line: line, "the text is not valid in the encoding that its first bytes indicate")
  }

  private static func normalizingLineEnds(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    guard text.contains(carriageReturn) else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var previous: UInt8 = 0
    for byte in text {
      if byte == carriageReturn {
        result.append(feed)
      } else if byte != feed || previous != carriageReturn {
        result.append(byte)
      }
      previous = byte
    }
    return result
  }

  private static func startsLikeXML(_ text: ArraySlice<UInt8>) -> Bool {
    text.first { !isXMLSpace($0) } == UInt8(ascii: "<")
  }

  private static let notAPropertyList = PropertyListError(
    .unreadable, "the file is neither an XML nor a binary property list")
}

/// Returns the complete code units of UTF-16 text in big-endian order.
func utf16Units(ofBigEndian bytes: ArraySlice<UInt8>) -> [UInt16] {
  stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
    UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
  }
}
