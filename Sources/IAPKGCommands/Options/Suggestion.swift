import ContentPackage

/// What was probably meant by a word that is not known.
enum Suggestion {
  /// Fewer letters than this stand in too many names to point at one.
  private static let shortestPart = 3
  /// More names than this are a list to be looked up, not a suggestion.
  static let most = 4

  /// The nearest of `names`, or those that begin with or contain `word`; none if nothing is near.
  static func names(for word: String, among names: [String]) -> [String] {
    if let nearest = Misspelling.nearest(to: word, among: names) { return [nearest] }
    let lowercased = word.lowercased()
    guard lowercased.utf8.count >= shortestPart else { return [] }
    let beginning = names.filter { $0.lowercased().hasPrefix(lowercased) }
    let found = beginning.isEmpty ? names.filter { $0.lowercased().contains(lowercased) } : beginning
    return found.count <= most ? found : []
  }

  /// The end of a message: "; did you mean a or b?", or `otherwise` if nothing is near.
  static func ending(for word: String, among names: [String], otherwise: String) -> String {
    let found = self.names(for: word, among: names)
    return found.isEmpty ? otherwise : "; did you mean \(list(found))?"
  }

  /// "a", "a or b", "a, b or c".
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}
