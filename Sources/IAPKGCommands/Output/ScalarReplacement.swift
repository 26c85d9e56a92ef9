extension String {
  /// The text with some code points written otherwise.
  ///
  /// What reads the text looks for code points, while a `<` with a combining mark behind it is another character.
  func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let replacement = replacements[scalar] {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
