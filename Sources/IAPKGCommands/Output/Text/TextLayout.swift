import SafeFiles
import Support

/// A layout that wraps text to the width of a terminal. Text for files and pipes is not wrapped, so that it can be
/// searched.
struct TextLayout {
  /// The minimum width at which text is wrapped.
  private static let minimumColumns = 20

  private let columns: Int?

  init(for stream: StandardStream) { columns = stream.columns }

  /// Creates a layout.
  ///
  /// - Parameter columns: The width in columns; nil to disable wrapping.
  init(columns: Int?) { self.columns = columns }

  /// Returns `head`, which is `width` columns wide, followed by `text`. Continuation lines align with the text.
  func lines(after head: String, width: Int, _ text: String) -> [String] {
    let pieces = broken(text, to: columns.map { $0 - width })
    let indent = String(repeating: " ", count: width)
    return pieces.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
  }

  /// Wraps the first line, which is a sentence. The other lines are paths and stay unwrapped.
  func sentence(in lines: [String]) -> [String] {
    guard let first = lines.first else { return [] }
    return self.lines(after: "", width: 0, first) + lines.dropFirst()
  }

  /// Wraps text at spaces. A word that exceeds the limit gets its own line.
  private func broken(_ text: String, to limit: Int?) -> [String] {
    guard let limit, limit >= Self.minimumColumns, Self.width(of: text) > limit else { return [text] }
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

  /// Returns the width of text on a terminal, in columns: two for an ideograph, none for a combining mark or a color
  /// code.
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

  /// Returns the longest prefix of a text without color codes that fits the columns.
  static func prefix(of text: String, columns: Int) -> String {
    var width = 0
    return String(
      text.prefix { character in
        width += Self.width(of: String(character))
        return width <= columns
      })
  }

  /// Returns whether a scalar is in one of the main blocks with East_Asian_Width W or F (UAX 11).
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
