import SafeFiles

/// Breaks text into lines that fit a terminal; what goes elsewhere is not broken, so that it can be searched.
struct TextLayout {
  /// Fewer columns than this for a text are no use; it is then left as it is.
  private static let leastColumns = 20

  private let columns: Int?

  init(for stream: StandardStream) { columns = stream.columns }

  /// - Parameter columns: nil to break nothing.
  init(columns: Int?) { self.columns = columns }

  /// `head`, which takes `width` columns, and `text` behind it, with further lines beneath the text.
  func lines(after head: String, width: Int, _ text: String) -> [String] {
    let pieces = broken(text, to: columns.map { $0 - width })
    let indent = String(repeating: " ", count: width)
    return pieces.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
  }

  /// At spaces; a word that is too long has a line to itself.
  private func broken(_ text: String, to limit: Int?) -> [String] {
    guard let limit, limit >= Self.leastColumns, Self.width(of: text) > limit else { return [text] }
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = Self.width(of: word)
      if !lines.isEmpty || !line.isEmpty, width + 1 + wordWidth > limit {
        lines.append(line)
        (line, width) = ("", 0)
      } else if !line.isEmpty {
        line += " "
        width += 1
      }
      line += word
      width += wordWidth
    }
    return lines + [line]
  }

  /// The columns that a terminal gives to a text without escapes: two for an ideograph, none for a mark.
  static func width(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: sum
      default: sum + (isWide(scalar) ? 2 : 1)
      }
    }
  }

  /// As much of a text without escapes as fits.
  static func prefix(of text: String, columns: Int) -> String {
    var width = 0
    return String(
      text.prefix { character in
        width += Self.width(of: String(character))
        return width <= columns
      })
  }

  /// The main blocks whose East_Asian_Width (UAX 11) is W or F.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
