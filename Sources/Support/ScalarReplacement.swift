extension String {
  /// The text with some code points written otherwise.
  ///
  /// What reads the text looks for code points, while a `<` with a combining mark behind it is another character.
  package func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let replacement = replacements[scalar] {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as it stands between XML tags or in double quotes in one: what ends it, and what a parser would read as
  /// something else (XML 1.0, 2.11 and 3.3.3), is written as a reference.
  package var escapedForXML: String {
    replacing([
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
    ])
  }
}
