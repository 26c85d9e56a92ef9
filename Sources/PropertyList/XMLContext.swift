internal import LibXML2

/// Owns one `xmlParserCtxt`, the state of one parse, and keeps its first error or warning.
@safe struct XMLContext: ~Copyable {
  let pointer: xmlParserCtxtPtr
  private let collector: Collector

  /// Receives the error that the handler reports; a class, because libxml2 keeps its address.
  private final class Collector {
    var first: PropertyListError?
  }

  /// The first error or warning of libxml2. Later ones are often its consequences.
  var firstReport: PropertyListError? { collector.first }

  private init(owning pointer: xmlParserCtxtPtr) {
    unsafe self.pointer = pointer
    collector = Collector()
    // libxml2 reserves this field for the application. `self` owns the context and retains the collector.
    unsafe pointer.pointee._private = Unmanaged.passUnretained(collector).toOpaque()
    unsafe pointer.pointee.sax.pointee.serror = { context, error in
      guard let context = unsafe context?.assumingMemoryBound(to: xmlParserCtxt.self),
        let target = unsafe context.pointee._private, let error = unsafe error
      else { return }
      let collector = unsafe Unmanaged<Collector>.fromOpaque(target).takeUnretainedValue()
      if collector.first == nil { collector.first = unsafe PropertyListError(error.pointee) }
    }
    // Prevents this parser from opening files, whatever a document requests. Other parsers in the process are
    // unaffected.
    unsafe pointer.pointee.sax.pointee.resolveEntity = { _, _, _ in nil }
    unsafe pointer.pointee.sax.pointee.externalSubset = nil
  }

  deinit { unsafe xmlFreeParserCtxt(pointer) }

  /// Creates a context.
  ///
  /// - Throws: `PropertyListError` if there is not enough memory.
  static func make() throws(PropertyListError) -> XMLContext {
    guard let pointer = unsafe xmlNewParserCtxt() else {
      throw PropertyListError(.unreadable, "libxml2 is out of memory")
    }
    return unsafe XMLContext(owning: pointer)
  }
}

extension PropertyListError {
  /// Translates an error of libxml2.
  fileprivate init(_ error: xmlError) {
    let code = unsafe xmlParserErrors(rawValue: UInt32(clamping: error.code))
    let text = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let sentence = text.split(whereSeparator: \.isNewline).first?.printable ?? "unknown error"
    let isUnsafe = Self.unsafeCodes.contains(code)
    let summary = isUnsafe ? "the XML uses an entity or a namespace" : "the XML is not well-formed"
    self.init(
      isUnsafe ? .unsafeXML : .unreadable, line: unsafe error.line > 0 ? Int(error.line) : nil,
      "\(summary): \(sentence.lowercasedFirst)")
  }

  /// The libxml2 errors about entities and namespaces.
  private static var unsafeCodes: [xmlParserErrors] {
    [
      XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY, XML_ERR_UNPARSED_ENTITY, XML_ERR_ENTITY_LOOP,
      XML_ERR_ENTITY_IS_EXTERNAL, XML_ERR_ENTITY_IS_PARAMETER, XML_NS_ERR_XML_NAMESPACE,
      XML_NS_ERR_UNDEFINED_NAMESPACE, XML_NS_ERR_QNAME, XML_NS_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_EMPTY,
      XML_NS_ERR_COLON,
    ]
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
