/// Checks the text before the root element. The checks run before libxml2, which would act on the declarations of a
/// document type.
extension XMLSource {
  /// Checks the XML declaration and the document type. libxml2 reports other malformed text.
  ///
  /// - Throws: `PropertyListError` of kind `unsafe-xml`, or `unreadable` for a malformed XML declaration.
  func checkProlog() throws(PropertyListError) {
    var cursor = MarkupCursor(text)
    try checkDeclaration(&cursor)
    while true {
      cursor.skipSpace()
      if cursor.consume("<!--") {
        cursor.skip(past: "-->")
      } else if cursor.consume("<?") {
        cursor.skip(past: "?>")
      } else if cursor.isAt("<!DOCTYPE") {
        return try checkDocumentType(&cursor)
      } else {
        return
      }
    }
  }

  /// Checks `<?xml version="1.0" encoding="…"?>` (XML 1.0, production 23).
  private func checkDeclaration(_ cursor: inout MarkupCursor) throws(PropertyListError) {
    var ahead = cursor
    guard ahead.consume("<?xml"), ahead.skipSpace() else { return }
    while !ahead.consume("?>") {
      let name = ahead.word()
      ahead.skipSpace()
      let hasEqualSign = ahead.consume("=")
      ahead.skipSpace()
      guard !name.isEmpty, hasEqualSign, let value = ahead.quotedText() else {
        throw PropertyListError(.unreadable, line: 1, "the XML declaration is malformed")
      }
      ahead.skipSpace()
      if name == "version", value != "1.0" {
        throw PropertyListError(
          .unsafeXML, line: 1, "the XML version is '\(value.printable)', expected 1.0")
      }
      if name == "encoding" { try checkEncoding(declared: value) }
    }
    cursor = ahead
  }

  /// Checks that the declared encoding is the encoding of the bytes.
  private func checkEncoding(declared: String) throws(PropertyListError) {
    let isConsistent =
      switch declared.uppercased() {
      case "UTF-8", "UTF8": encoding == .utf8
      case "US-ASCII", "ASCII": encoding == .utf8 && text.allSatisfy { $0 < 0x80 }
      case "UTF-16": encoding != .utf8
      case "UTF-16LE": encoding == .utf16LittleEndian
      case "UTF-16BE": encoding == .utf16BigEndian
      default: false
      }
    guard isConsistent else {
      throw PropertyListError(
        .unsafeXML, line: 1,
        "the declared encoding is '\(declared.printable)', expected that of the bytes, UTF-8 or UTF-16")
    }
  }

  private static let publicIdentifiers = [
    "-//Apple//DTD PLIST 1.0//EN", "-//Apple Computer//DTD PLIST 1.0//EN",
  ]
  private static let systemIdentifierEnd = "PropertyList-1.0.dtd"

  /// Checks that the document type is Apple's and has no declarations (XML 1.0, production 28).
  private func checkDocumentType(_ cursor: inout MarkupCursor) throws(PropertyListError) {
    let line = line(at: cursor.position)
    let otherDocumentType = PropertyListError(
      .unsafeXML, line: line, "found another document type, expected that of Apple's property lists or none")
    guard cursor.consume("<!DOCTYPE"), cursor.skipSpace(), cursor.word() == "plist" else {
      throw otherDocumentType
    }
    let hasSpace = cursor.skipSpace()
    let hasAppleIdentifier: Bool
    if hasSpace, cursor.consume("PUBLIC"), cursor.skipSpace() {
      let publicIdentifier = cursor.quotedText() ?? ""
      cursor.skipSpace()
      hasAppleIdentifier = Self.publicIdentifiers.contains(publicIdentifier) && cursor.quotedText() != nil
    } else if hasSpace, cursor.consume("SYSTEM"), cursor.skipSpace() {
      hasAppleIdentifier = (cursor.quotedText() ?? "").hasSuffix(Self.systemIdentifierEnd)
    } else {
      hasAppleIdentifier = false
    }
    cursor.skipSpace()
    guard !cursor.isAt("[") else {
      throw PropertyListError(
        .unsafeXML, line: line, "the document type has declarations, expected none")
    }
    guard hasAppleIdentifier, cursor.consume(">") else { throw otherDocumentType }
  }
}
