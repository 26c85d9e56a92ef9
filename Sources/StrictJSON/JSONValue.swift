/// Any JSON value, for parts of documents with arbitrary keys.
package enum JSONValue: Sendable, Equatable {
  /// A member of an object.
  package struct Member: Sendable, Equatable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// The text of a number.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members in the order of the document; no key occurs twice.
  case object([Member])

  /// The value of the member with this key; nil if it is missing, or if this is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The kind of the value, with its article, for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value as indented text, with a line for each member and element, and without a final line feed.
  package var formatted: String { formatted(indent: "") }

  /// The value as text without white space.
  package var line: String {
    switch self {
    case .array(let values): "[\(values.map(\.line).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.key)):\($0.value.line)" }.joined(separator: ","))}"
    case .null, .bool, .number, .string: formatted
    }
  }

  private func formatted(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let values) where !values.isEmpty:
      let lines = values.map { inner + $0.formatted(indent: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(Self.quoted($0.key)): \($0.value.formatted(indent: inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array: return "[]"
    case .object: return "{}"
    case .null: return "null"
    case .bool(let isTrue): return isTrue ? "true" : "false"
    case .number(let text): return text
    case .string(let text): return Self.quoted(text)
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONReader {
  /// Reads any value. The parser must have the whole document in memory.
  package mutating func value() throws(DocumentError) -> JSONValue {
    switch try peek() {
    case nil: throw error("expected a value")
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try object { (key, reader) throws(DocumentError) in
        members.append(JSONValue.Member(key, try reader.value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try array { (reader) throws(DocumentError) in values.append(try reader.value()) }
      return .array(values)
    case UInt8(ascii: "\""): return .string(try string())
    default:
      if try takesNull() { return .null }
      if try take(word: "true") { return .bool(true) }
      if try take(word: "false") { return .bool(false) }
      let start = position
      _ = try number()
      return .number(String(decoding: block[start..<position], as: UTF8.self))
    }
  }
}

/// JSON with the comments and trailing commas of Apple's templates.
package enum CommentedJSON {
  /// Returns the document with comments and trailing commas replaced by spaces, so that positions stay the same.
  package static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var comma: Int?
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        comma = nil
        index = end(ofString: index, in: bytes)
        continue
      case UInt8(ascii: "/") where index + 1 < bytes.count && [0x2F, 0x2A].contains(bytes[index + 1]):
        let end = end(ofComment: index, in: bytes)
        for position in index..<end where bytes[position] != 0x0A { result[position] = 0x20 }
        index = end
        continue
      case UInt8(ascii: ","): comma = index
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma { result[comma] = 0x20 }
        comma = nil
      case 0x20, 0x09, 0x0A, 0x0D: break
      default: comma = nil
      }
      index += 1
    }
    return result
  }

  private static func end(ofString start: Int, in bytes: [UInt8]) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  /// Returns the end of a comment, or of the document if the comment is not closed.
  private static func end(ofComment start: Int, in bytes: [UInt8]) -> Int {
    if bytes[start + 1] == 0x2F {
      return bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    }
    var index = start + 2
    while index + 1 < bytes.count, !(bytes[index] == 0x2A && bytes[index + 1] == 0x2F) { index += 1 }
    return min(index + 2, bytes.count)
  }
}
