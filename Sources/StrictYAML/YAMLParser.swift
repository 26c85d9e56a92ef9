internal import CLibYAML

/// A libyaml parser that owns its `yaml_parser_t` and the bytes that it reads.
@safe struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  private init(
    owning parser: UnsafeMutablePointer<yaml_parser_t>, reading bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe self.parser = parser
    unsafe self.bytes = bytes
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe bytes.deallocate()
  }

  /// Creates a parser of UTF-8 bytes.
  ///
  /// - Throws: `YAMLError` if memory is exhausted.
  static func make(_ source: [UInt8]) throws(YAMLError) -> YAMLParser {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      throw YAMLError(line: 1, column: 1, message: "libyaml is out of memory")
    }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
    _ = unsafe bytes.initialize(from: source)
    return unsafe YAMLParser(owning: parser, reading: bytes)
  }

  /// Returns the next event; after the end of the stream, `streamEnd` again.
  ///
  /// - Throws: `YAMLError` for invalid YAML, an anchor or an alias. With aliases, a small file could expand to an
  ///   enormous document.
  mutating func next() throws(YAMLError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error }
    defer { unsafe yaml_event_delete(&event) }
    let start = unsafe event.start_mark
    let (line, column) = (Int(start.line) + 1, Int(start.column) + 1)
    guard unsafe !Self.hasAnchor(event) else {
      throw YAMLError(line: line, column: column, message: "found an anchor (&), which is not supported")
    }
    guard let kind = unsafe Self.kind(of: event) else {
      throw YAMLError(line: line, column: column, message: "found an alias (*), which is not supported")
    }
    return YAMLEvent(kind: kind, line: line, column: column)
  }

  private static func hasAnchor(_ event: yaml_event_t) -> Bool {
    switch unsafe event.type {
    case YAML_SCALAR_EVENT: unsafe event.data.scalar.anchor != nil
    case YAML_SEQUENCE_START_EVENT: unsafe event.data.sequence_start.anchor != nil
    case YAML_MAPPING_START_EVENT: unsafe event.data.mapping_start.anchor != nil
    default: false
    }
  }

  /// Returns the kind of an event; nil for an alias.
  private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind? {
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil
      return unsafe .text(String(decoding: value, as: UTF8.self), isPlain: isPlain)
    case YAML_SEQUENCE_START_EVENT: return .listStart
    case YAML_MAPPING_START_EVENT: return .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_ALIAS_EVENT: return nil
    default: return .streamEnd
    }
  }

  /// The last error of libyaml.
  private var error: YAMLError {
    let state = unsafe parser.pointee
    let problem = unsafe state.problem.map { unsafe String(cString: $0) } ?? "out of memory"
    // Reader errors do not set the mark.
    let mark = unsafe state.problem_mark
    return YAMLError(
      line: Int(mark.line) + 1, column: Int(mark.column) + 1, message: "the file is not YAML: \(problem)")
  }
}

/// A libyaml event (yaml_event_type_t) and its start.
struct YAMLEvent {
  /// The kind of an event.
  enum Kind {
    case streamStart, documentStart
    /// A scalar; plain if it has no quotation marks, `|`, `>` or tag.
    case text(String, isPlain: Bool)
    case listStart, mappingStart
    /// The end of a list or a mapping.
    case end
    case documentEnd, streamEnd
  }

  let kind: Kind
  /// The line, counted from 1.
  let line: Int
  /// The column in characters, counted from 1.
  let column: Int
}
