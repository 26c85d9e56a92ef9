/// A reference to a build setting, `$(NAME)` or `${NAME}`, with operators such as `$(NAME:lower)`.
///
/// The name and the operand of an operator may contain references: `$(NAME:default=$(OTHER))`.
struct BuildSettingReference {
  /// The name of the setting.
  let name: String
  /// The operators, in the order of their application.
  let operations: [String]
  /// The text after the reference.
  let rest: Substring

  private static let delimiters: [Character: Character] = ["(": ")", "{": "}"]

  /// Returns whether a character after a dollar sign begins a reference.
  static func begins(with character: Character) -> Bool { delimiters[character] != nil }

  /// Parses the reference at the start of a text; nil if its closing delimiter is missing.
  init?(_ text: Substring) {
    var parts: [String] = []
    var closing: [Character] = []
    var start = text.startIndex
    var isAfterDollar = false
    for index in text.indices {
      let character = text[index]
      if isAfterDollar, let delimiter = Self.delimiters[character] {
        if closing.isEmpty { start = text.index(after: index) }
        closing.append(delimiter)
      } else if character == closing.last {
        closing.removeLast()
      }
      isAfterDollar = character == "$"
      let isEnd = closing.isEmpty && !isAfterDollar
      guard isEnd || character == ":" && closing.count == 1 else { continue }
      parts.append(String(text[start..<index]))
      start = text.index(after: index)
      guard isEnd else { continue }
      name = parts[0]
      operations = Array(parts.dropFirst())
      rest = text[start...]
      return
    }
    return nil
  }
}
