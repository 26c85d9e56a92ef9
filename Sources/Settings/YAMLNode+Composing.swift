extension YAMLNode {
  /// The maximum nesting of lists and mappings; a settings file needs three levels.
  private static let maximumDepth = 32

  /// Returns the root of the single document in UTF-8 bytes; nil if the document is empty.
  ///
  /// - Throws: The first `YAMLError`.
  static func root(of bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
    var parser = try YAMLParser.make(bytes)
    _ = try parser.next()  // the start of the stream
    guard case .documentStart = try parser.next().kind else { return nil }
    let first = try parser.next()
    let root = try node(from: first, parser: &parser, level: 1)
    _ = try parser.next()  // the end of the document
    let last = try parser.next()
    guard case .streamEnd = last.kind else {
      throw YAMLError(line: last.line, column: last.column, message: "found a second document, expected one")
    }
    // A document that has only its marker is empty.
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
    switch event.kind {
    case .text(let text, _): content = .text(text)
    case .listStart: content = .list(try list(parser: &parser, level: level + 1))
    default: content = .pairs(try pairs(parser: &parser, level: level + 1))
    }
    return YAMLNode(content: content, line: event.line, column: event.column)
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
