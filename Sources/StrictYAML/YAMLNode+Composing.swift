import Support

extension YAMLNode {
  /// The maximum size of a document, in bytes.
  package static let maximumByteCount = 64 << 10
  /// The maximum nesting of lists and mappings; a settings file needs three levels.
  private static let maximumDepth = 32

  /// The plain scalars that mean null (YAML 1.2, section 10.3.2).
  private static let nulls: Set = ["", "~", "null", "Null", "NULL"]

  /// Returns the root of the single document in UTF-8 bytes; nil if the document is empty. Skips a leading byte order
  /// mark (YAML 1.2, section 5.2), which positions do not count.
  ///
  /// - Throws: `YAMLError` for the first problem.
  package static func root(of bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
    guard bytes.count <= maximumByteCount else {
      throw YAMLError(
        line: 1, column: 1,
        message: "the file has \(bytes.count) bytes, expected at most \(maximumByteCount)")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw YAMLError(line: 1, column: 1, message: "the file is not UTF-8")
    }
    var parser = try YAMLParser.make(ByteOrderMark.dropped(from: bytes))
    _ = try parser.next()  // the start of the stream
    guard case .documentStart = try parser.next().kind else { return nil }
    let first = try parser.next()
    let root = try node(from: first, parser: &parser, level: 1)
    _ = try parser.next()  // the end of the document
    let last = try parser.next()
    guard case .streamEnd = last.kind else {
      throw YAMLError(line: last.line, column: last.column, message: "found a second document, expected one")
    }
    // A document that consists only of its start marker is empty.
    if case .text("", isPlain: true) = first.kind { return nil }
    return root
  }

  private static func node(
    from event: YAMLEvent, parser: inout YAMLParser, level: Int
  ) throws(YAMLError) -> YAMLNode {
    guard level <= maximumDepth else {
      throw YAMLError(
        line: event.line, column: event.column,
        message: "found more than \(maximumDepth) levels of lists and keys")
    }
    let content: Content
    var (isNull, isPlainText) = (false, false)
    switch event.kind {
    case .text(let text, let isPlain):
      content = .text(text)
      isPlainText = isPlain
      isNull = isPlain && nulls.contains(text)
    case .listStart: content = .list(try list(parser: &parser, level: level + 1))
    default: content = .pairs(try pairs(parser: &parser, level: level + 1))
    }
    return YAMLNode(
      content: content, isNull: isNull, isPlain: isPlainText, line: event.line, column: event.column)
  }

  private static func list(parser: inout YAMLParser, level: Int) throws(YAMLError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while let event = try next(from: &parser) {
      nodes.append(try node(from: event, parser: &parser, level: level))
    }
    return nodes
  }

  private static func pairs(
    parser: inout YAMLParser, level: Int
  ) throws(YAMLError) -> [(key: YAMLNode, value: YAMLNode)] {
    var pairs: [(key: YAMLNode, value: YAMLNode)] = []
    var known: Set<String> = []
    while let event = try next(from: &parser) {
      let key = try node(from: event, parser: &parser, level: level)
      if case .text(let text) = key.content, !known.insert(text).inserted {
        throw YAMLError(
          line: key.line, column: key.column, message: "the key appears twice")
      }
      let value = try node(from: try parser.next(), parser: &parser, level: level)
      pairs.append((key, value))
    }
    return pairs
  }

  /// Returns the next event of a list or a mapping; nil at its end.
  private static func next(from parser: inout YAMLParser) throws(YAMLError) -> YAMLEvent? {
    let event = try parser.next()
    if case .end = event.kind { return nil }
    return event
  }
}
