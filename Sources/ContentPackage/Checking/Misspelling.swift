/// Detection of probable misspellings of a word.
package enum Misspelling {
  /// The maximum number of letters and digits in a compared word. The work grows with the product of both lengths.
  private static let maximumWordLength = 64

  /// Returns whether `word` differs from `expected` only in letter case, separators, and at most one added, missing or
  /// wrong letter or digit for every four of `expected`.
  package static func isLikely(_ word: String, of expected: String) -> Bool {
    let (wordLetters, expectedLetters) = (letters(word), letters(expected))
    guard wordLetters.count <= maximumWordLength else { return false }
    return distance(wordLetters, expectedLetters) * 4 <= expectedLetters.count
  }

  /// Returns the most similar candidate; nil if none is similar enough.
  package static func nearest<Candidates: Sequence<String>>(to word: String, among candidates: Candidates)
    -> String?
  {
    candidates.filter { isLikely(word, of: $0) }.min {
      distance(letters(word), letters($0)) < distance(letters(word), letters($1))
    }
  }

  private static func letters(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// Returns the Levenshtein distance, computed row by row.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let substituted = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
