internal import CLibXML2

/// Owns one `xmlDoc`, a parsed XML document.
@safe struct XMLTree: ~Copyable {
  private let document: xmlDocPtr

  private init(owning document: xmlDocPtr) { unsafe self.document = document }

  deinit { unsafe xmlFreeDoc(document) }

  /// Quiet, offline, and with the plain meaning of the text. Never to be added: NOENT, DTDLOAD, DTDATTR, DTDVALID,
  /// XINCLUDE (they open other files), HUGE (it lifts the limits), RECOVER (it reads what is not well-formed).
  /// The encoding was settled before, so what the declaration says of it is left aside.
  private static let options =
    XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_BIG_LINES.rawValue

  /// Starts libxml2 once, and has it refuse to open anything, whatever a document asks for.
  private static let library: Void = {
    xmlInitParser()
    unsafe xmlSetExternalEntityLoader { _, _, _ in nil }
  }()

  /// Parses UTF-8 text (`xmlCtxtReadMemory`). A warning is as good as an error here: libxml2 merely warns of an
  /// unknown entity, and drops it.
  ///
  /// - Throws: `PropertyListProblem` for the first thing that libxml2 reports.
  static func parse(_ text: [UInt8]) throws(PropertyListProblem) -> XMLTree {
    library
    let context = try XMLContext.make()
    guard let length = CInt(exactly: text.count) else {
      throw PropertyListProblem(.unreadable, "the text is too long for libxml2")
    }
    let document = unsafe text.withUnsafeBytes { bytes in
      unsafe xmlCtxtReadMemory(
        context.pointer, bytes.bindMemory(to: CChar.self).baseAddress, length, nil, "UTF-8",
        CInt(bitPattern: options))
    }
    guard let document = unsafe document else {
      throw context.firstReport
        ?? PropertyListProblem(.unreadable, "libxml2 could not read the text")
    }
    let tree = unsafe XMLTree(owning: document)
    if let report = context.firstReport { throw report }
    return tree
  }

  /// Hands the root element to `body`, or nil if there is none.
  func withRoot<Result, Failure: Error>(
    _ body: (XMLNode?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe xmlDocGetRootElement(document).map { unsafe XMLNode($0) })
  }

  /// Whether the document type declares anything.
  var hasDeclarations: Bool {
    unsafe document.pointee.intSubset.map { unsafe $0.pointee.children != nil } ?? false
  }
}
