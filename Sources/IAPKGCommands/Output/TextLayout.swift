import SafeFiles
import Support

/// Breaks text into lines that fit a terminal. Text for files and pipes is not broken, so that it can be searched.
struct TextLayout {
  /// The smallest width for which text is broken.
  private static let leastColumns = 20

  private let columns: Int?

  init(for stream: StandardStream) { columns = stream.columns }

  /// - Parameter columns: nil to break nothing.
  init(columns: Int?) { self.columns = columns }

  /// `head`, which takes `width` columns, and `text` after it. Further lines are indented below the text.
  func lines(after head: String, width: Int, _ text: String) -> [String] {
    let pieces = broken(text, to: columns.map { $0 - width })
    let indent = String(repeating: " ", count: width)
    return pieces.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
  }

  /// The first line, a sentence, broken; the others are paths, which stay whole.
  func sentence(in lines: [String]) -> [String] {
    guard let first = lines.first else { return [] }
    return self.lines(after: "", width: 0, first) + lines.dropFirst()
  }

  /// Breaks text at spaces. A word that is too long gets its own line.
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

  /// The columns that a terminal gives to a text: two for an ideograph, none for a mark or a colour.
  static func width(of text: some StringProtocol) -> Int {
    var width = 0
    var isInEscape = false
    for scalar in text.unicodeScalars {
      if isInEscape {
        isInEscape = scalar != TextStyle.escapeEnd
      } else if scalar == TextStyle.escape {
        isInEscape = true
      } else {
        width += Self.width(of: scalar)
      }
    }
    return width
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: isWide(scalar) ? 2 : 1
    }
  }

  /// The start of a text without escapes, as much as fits.
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
