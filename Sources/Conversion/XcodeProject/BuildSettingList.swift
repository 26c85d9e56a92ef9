import PropertyList

/// Values of build settings that are lists: words separated by spaces. Quotation marks enclose, and backslashes
/// precede, spaces that belong to a word.
enum BuildSettingList {
  /// Returns the text of a setting, in which an array becomes a list of words; nil for other values.
  static func text(_ value: PropertyListValue) -> String? {
    guard case .array(let values) = value else { return value.string }
    let words = values.compactMap(\.string)
    guard words.count == values.count else { return nil }
    return words.map(quoted).joined(separator: " ")
  }

  /// Returns the word, with a backslash before each character that would end or change it.
  private static func quoted(_ word: String) -> String {
    // Elements such as $(inherited) are lists themselves.
    guard !word.contains("$"), word.contains(where: isSpecial) else { return word }
    return word.map { isSpecial($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func isSpecial(_ character: Character) -> Bool {
    character.isWhitespace || "\"'\\".contains(character)
  }

  /// Returns the words of a list.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
