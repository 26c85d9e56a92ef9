/// Replaces one string in the bytes of an XML property list. No other byte changes.
///
/// Requires text that `PropertyListDocument.parse` has accepted: the text is well-formed, has no declarations, and each
/// element of the root dictionary is a key or the value after it.
struct XMLStringEdit {
  private let bytes: [UInt8]
  private let encoding: XMLSource.Encoding
  private let markLength: Int
  private var cursor: MarkupCursor

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let source = try XMLSource(bytes)
    self.bytes = bytes
    encoding = source.encoding
    markLength = source.markLength
    cursor = MarkupCursor(XMLSource.shape(of: bytes.dropFirst(markLength), encoding))
  }

  /// Returns the new file, or nil if there is no such entry. `entry` is an index in the root dictionary.
  mutating func replacingString(ofEntry entry: Int, with value: String) -> [UInt8]? {
    guard let position = content(ofChild: 2 * entry + 1) else { return nil }
    let text = Self.escaped(value)
    return switch position {
    case .between(let range): replacing(range, with: text)
    case .emptyTag(let range): replacing(range, with: ">\(text)</string>")
    }
  }

  /// The position of a string's text, in code units.
  private enum TextPosition {
    /// The text between the tags.
    case between(Range<Int>)
    /// The `/>` of an empty element, which has no text.
    case emptyTag(Range<Int>)
  }

  /// The depth of the root dictionary's elements, within `<plist>` and `<dict>`.
  private static let rootDepth = 2

  /// Returns the position of the text in a child of the root dictionary. `wanted` is the index of the child.
  private mutating func content(ofChild wanted: Int) -> TextPosition? {
    var depth = 0
    var children = 0
    var contentStart: Int?
    while let tag = cursor.nextTag() {
      let isChild = tag.kind != .end && depth == Self.rootDepth
      let isWanted = isChild && children == wanted
      if isChild { children += 1 }
      switch tag.kind {
      case .empty:
        if isWanted { return .emptyTag(cursor.position - 2..<cursor.position) }
      case .start:
        if isWanted { contentStart = cursor.position }
        depth += 1
      case .end:
        depth -= 1
        if depth == Self.rootDepth, let contentStart { return .between(contentStart..<tag.start) }
      }
    }
    return nil
  }

  private func replacing(_ range: Range<Int>, with text: String) -> [UInt8] {
    let replacement: [UInt8]
    let unitLength: Int
    switch encoding {
    case .utf8:
      (replacement, unitLength) = (Array(text.utf8), 1)
    case .utf16LittleEndian:
      (replacement, unitLength) = (text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, 2)
    case .utf16BigEndian:
      (replacement, unitLength) = (text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }, 2)
    }
    let start = markLength + range.lowerBound * unitLength
    let end = markLength + range.upperBound * unitLength
    return bytes[..<start] + replacement + bytes[end...]
  }

  /// Escapes text for use between tags.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // An unescaped carriage return would be read as a line feed.
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
