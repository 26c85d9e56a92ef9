/// Iteration over the tags of a text. In well-formed text whose document type has no declarations, these are the tags
/// that an XML parser finds. In other text, they are the tags that a parser finds up to its first error.
extension MarkupCursor {
  struct Tag {
    enum Kind {
      case start, end
      /// An empty element, `<a/>`.
      case empty
    }

    let kind: Kind
    /// The position of the `<` of the tag. The cursor is after the `>`.
    let start: Int
    /// Whether the name of the tag starts with `array` or `dict`.
    let isContainer: Bool
  }

  /// Moves past the next tag, and past everything before it.
  ///
  /// - Returns: The tag, or nil at the end.
  mutating func nextTag() -> Tag? {
    while true {
      skip(to: UInt8(ascii: "<"))
      let start = position
      advance()
      guard let unit else { return nil }
      switch unit {
      case UInt8(ascii: "/"):
        skip(to: UInt8(ascii: ">"))
        advance()
        return Tag(kind: .end, start: start, isContainer: false)
      case UInt8(ascii: "!"):
        skipPastDeclaration()
      case UInt8(ascii: "?"):
        skip(past: "?>")
      default:
        let isContainer = isAt("dict") || isAt("array")
        return Tag(kind: skipPastTagEnd() ? .empty : .start, start: start, isContainer: isContainer)
      }
    }
  }

  /// Moves past a comment, a CDATA section or a document type, starting at its `!`.
  private mutating func skipPastDeclaration() {
    if consume("!--") {
      skip(past: "-->")
    } else if consume("![CDATA[") {
      skip(past: "]]>")
    } else {
      _ = skipPastTagEnd()
    }
  }

  /// Moves past the `>` of a tag or document type. A `>` in quotation marks does not count.
  ///
  /// - Returns: Whether the tag ends in `/>`, so that the element is empty.
  private mutating func skipPastTagEnd() -> Bool {
    var previous: UInt8 = 0
    while let unit {
      advance()
      switch unit {
      case UInt8(ascii: ">"):
        return previous == UInt8(ascii: "/")
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skip(to: unit)
        advance()
      default:
        break
      }
      previous = unit
    }
    return false
  }
}
