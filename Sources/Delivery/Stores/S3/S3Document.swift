/// An element of S3's XML responses. Attributes and text between elements are ignored.
struct S3Element: Sendable, Equatable {
  /// The name without its namespace prefix.
  let name: String
  private(set) var text = ""
  private(set) var children: [S3Element] = []

  /// The text of the first child of this name.
  subscript(name: String) -> String? { children.first { $0.name == name }?.text }

  /// Returns all children of this name.
  func all(_ name: String) -> [S3Element] { children.filter { $0.name == name } }

  /// The maximum size of a response; a list of 1,000 objects with the longest names is smaller.
  static let maximumByteCount = 16 << 20
  private static let maximumDepth = 8
  /// The maximum number of elements; a list of 1,000 objects has fewer than 20,000.
  static let maximumCount = 100_000

  /// Parses a document; nil if it is invalid. Supports only the XML that S3 writes: elements, text, the five entities
  /// and numeric character references.
  init?(_ bytes: [UInt8]) {
    var open: [S3Element] = []
    var count = 0
    var rest = bytes[...].drop(while: Self.isSpace)
    guard rest.first == UInt8(ascii: "<") else { return nil }
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      if !open.isEmpty {
        guard let text = Self.decode(rest[..<start]) else { return nil }
        open[open.count - 1].text += text
      }
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let tag = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      if tag.first == UInt8(ascii: "?"), open.isEmpty { continue }
      let isEnd = tag.first == UInt8(ascii: "/")
      guard let name = Self.name(isEnd ? tag.dropFirst() : tag) else { return nil }
      if !isEnd {
        count += 1
        guard open.count < Self.maximumDepth, count <= Self.maximumCount else { return nil }
        open.append(S3Element(name: name))
        guard tag.last == UInt8(ascii: "/") else { continue }
      }
      guard let element = open.popLast(), element.name == name else { return nil }
      if open.isEmpty {
        guard rest.allSatisfy(Self.isSpace) else { return nil }
        self = element
        return
      }
      open[open.count - 1].children.append(element)
    }
    return nil
  }

  private init(name: String) { self.name = name }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Returns the local name in a tag; nil for comments, declarations and sections.
  private static func name(_ tag: ArraySlice<UInt8>) -> String? {
    let name = tag.prefix { !isSpace($0) && $0 != UInt8(ascii: "/") }
    let local = name.split(separator: UInt8(ascii: ":")).last ?? []
    let isName = local.allSatisfy {
      Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || "_-.".utf8.contains($0)
    }
    return isName && !local.isEmpty ? String(decoding: local, as: UTF8.self) : nil
  }

  /// Decodes the entities of a text; nil for unknown entities and invalid UTF-8.
  private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      guard let end = rest[start...].firstIndex(of: ";"),
        let character = character(rest[rest.index(after: start)..<end])
      else { return nil }
      result += rest[..<start]
      result.unicodeScalars.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ entity: Substring) -> Unicode.Scalar? {
    switch entity {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard entity.hasPrefix("#") else { return nil }
      let number =
        entity.hasPrefix("#x") ? UInt32(entity.dropFirst(2), radix: 16) : UInt32(entity.dropFirst())
      return number.flatMap(Unicode.Scalar.init)
    }
  }
}
