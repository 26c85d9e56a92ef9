internal import LibXML2

/// Owns one XML document that libxml2 has parsed.
@safe struct XMLTree: ~Copyable {
  private let document: xmlDocPtr

  private init(owning document: xmlDocPtr) { unsafe self.document = document }

  deinit { unsafe xmlFreeDoc(document) }

  /// libxml2 prints nothing and opens no file. Never add these options: NOENT, DTDLOAD, DTDATTR, DTDVALID,
  /// XINCLUDE (they open other files), HUGE (it lifts the limits), RECOVER (it reads malformed text).
  /// The text has been converted to UTF-8, so the declared encoding is ignored.
  private static let options =
    XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_BIG_LINES.rawValue

  /// Initializes libxml2 once, before several threads can use it.
  private static let library: Void = xmlInitParser()

  /// Parses UTF-8 text (`xmlCtxtReadMemory`). A warning counts as an error, because libxml2 only warns about
  /// an unknown entity and removes it from the text.
  ///
  /// - Throws: `PropertyListError` for the first error or warning of libxml2.
  static func parse(_ text: [UInt8]) throws(PropertyListError) -> XMLTree {
    library
    let context = try XMLContext.make()
    guard let length = CInt(exactly: text.count) else {
      throw PropertyListError(.unreadable, "the text is too long for libxml2")
    }
    let document = unsafe text.withUnsafeBytes { bytes in
      unsafe xmlCtxtReadMemory(
        context.pointer, bytes.bindMemory(to: CChar.self).baseAddress, length, nil, "UTF-8",
        CInt(bitPattern: options))
    }
    guard let document = unsafe document else {
      throw context.firstReport
        ?? PropertyListError(.unreadable, "libxml2 could not read the text")
    }
    let tree = unsafe XMLTree(owning: document)
    if let report = context.firstReport { throw report }
    return tree
  }

  /// Calls `body` with the root element, or with nil if there is none.
  func withRoot<Result, Failure: Error>(
    _ body: (XMLNode?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe xmlDocGetRootElement(document).map { unsafe XMLNode($0) })
  }

  /// Whether the document type has declarations.
  var hasDeclarations: Bool {
    unsafe document.pointee.intSubset.map { unsafe $0.pointee.children != nil } ?? false
  }
}
