internal import CLibXML2

/// Owns one `xmlParserCtxt`, the state of one parse, and keeps the first thing it reports.
@safe struct XMLContext: ~Copyable {
  let pointer: xmlParserCtxtPtr
  private let collector: Collector

  /// One error or warning of libxml2.
  struct Report {
    let problem: PropertyListProblem
  }

  /// What the handler writes to, at an address that does not move.
  private final class Collector {
    var firstReport: Report?
  }

  /// What libxml2 found wrong first; the later reports follow from it.
  var firstReport: Report? { collector.firstReport }

  private init(owning pointer: xmlParserCtxtPtr) {
    unsafe self.pointer = pointer
    collector = Collector()
    // The context is alive as long as `self`, and `self` holds the collector.
    unsafe pointer.pointee._private = Unmanaged.passUnretained(collector).toOpaque()
    unsafe pointer.pointee.sax.pointee.serror = { context, error in
      guard let context = unsafe context?.assumingMemoryBound(to: xmlParserCtxt.self),
        let target = unsafe context.pointee._private, let error = unsafe error
      else { return }
      let collector = unsafe Unmanaged<Collector>.fromOpaque(target).takeUnretainedValue()
      guard collector.firstReport == nil else { return }
      collector.firstReport = unsafe Report(error.pointee, depth: Int(context.pointee.nodeNr))
    }
  }

  deinit { unsafe xmlFreeParserCtxt(pointer) }

  /// - Throws: `PropertyListProblem` if there is no memory left.
  static func make() throws(PropertyListProblem) -> XMLContext {
    guard let pointer = unsafe xmlNewParserCtxt() else {
      throw PropertyListProblem(.unreadable, "libxml2 has no memory left")
    }
    return unsafe XMLContext(owning: pointer)
  }
}

extension XMLContext.Report {
  /// - Parameter depth: how many elements were open when libxml2 reported.
  fileprivate init(_ error: xmlError, depth: Int) {
    let line = unsafe error.line > 0 ? Int(error.line) : nil
    // The innermost values and the <plist> element are levels to libxml2, too.
    guard depth <= PropertyListLimits.depth + 2 else {
      problem = .tooDeep(line: line)
      return
    }
    let code = unsafe xmlParserErrors(rawValue: UInt32(clamping: error.code))
    let kind: PropertyListProblem.Kind = Self.unsafeCodes.contains(code) ? .unsafeXML : .unreadable
    let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown error"
    let sentence = text.split(whereSeparator: \.isNewline).first?.printable ?? "unknown error"
    problem = PropertyListProblem(kind, line: line, "the XML is not well-formed: \(sentence.lowercasedFirst)")
  }

  /// What libxml2 reports of entities and namespaces.
  private static var unsafeCodes: [xmlParserErrors] {
    [
      XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY, XML_ERR_UNPARSED_ENTITY, XML_ERR_ENTITY_LOOP,
      XML_ERR_ENTITY_IS_EXTERNAL, XML_ERR_ENTITY_IS_PARAMETER, XML_NS_ERR_XML_NAMESPACE,
      XML_NS_ERR_UNDEFINED_NAMESPACE, XML_NS_ERR_QNAME, XML_NS_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_EMPTY,
      XML_NS_ERR_COLON,
    ]
  }
}

extension PropertyListProblem {
  static func tooDeep(line: Int? = nil) -> PropertyListProblem {
    PropertyListProblem(
      .unreadable, line: line,
      "arrays and dictionaries are nested deeper than \(PropertyListLimits.depth) levels")
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
