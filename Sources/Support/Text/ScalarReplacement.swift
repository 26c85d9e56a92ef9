extension String {
  /// Returns the text with code points replaced.
  ///
  /// Works on code points, because a `<` followed by a combining mark is a different `Character`, but still a tag for a
  /// parser.
  package func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let replacement = replacements[scalar] {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text escaped for XML content and quoted attribute values, including the white space that a parser would
  /// normalize (XML 1.0, 2.11 and 3.3.3).
  package var escapedForXML: String {
    replacing([
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
    ])
  }
}
