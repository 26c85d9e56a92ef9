/// The tags of a text, one after the other. On well-formed text without declarations in its document type this finds
/// what an XML parser finds; on other text, what one finds up to its first error.
extension MarkupCursor {
  struct Tag {
    enum Kind {
      case start, end
      /// Both in one, `<a/>`.
      case empty
    }

    let kind: Kind
    /// Where its `<` stands; the cursor is behind its `>`.
    let start: Int
    /// Whether its name starts like that of an array or dictionary.
    let isContainer: Bool
  }

  /// Goes past the next tag, over everything that is none.
  ///
  /// - Returns: the tag, or nil at the end.
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

  /// Goes past a comment, a CDATA section or a document type, from its `!` on.
  private mutating func skipPastDeclaration() {
    if consume("!--") {
      skip(past: "-->")
    } else if consume("![CDATA[") {
      skip(past: "]]>")
    } else {
      _ = skipPastTagEnd()
    }
  }

  /// Goes past the `>` of a tag or document type; one in quotation marks is none.
  ///
  /// - Returns: whether it is the `/>` of an empty element.
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
