import ContentPackage

/// Suggestions for an unknown word.
enum Suggestion {
  /// The number of letters from which a part of a name is enough.
  private static let shortestPart = 3
  /// The largest number of names in a suggestion.
  static let most = 4

  /// What other package managers call a command.
  private static let synonyms = ["list": "info", "verify": "validate", "install": "extract"]

  /// The command that a word of other package managers stands for.
  static func command(knownAs word: String) -> String? { synonyms[word.lowercased()] }

  /// The most similar of `names`, or those that start with `word` or contain it.
  static func names(for word: String, among names: [String]) -> [String] {
    if let nearest = Misspelling.nearest(to: word, among: names) { return [nearest] }
    let lowercased = word.lowercased()
    guard lowercased.utf8.count >= shortestPart else { return [] }
    let beginning = names.filter { $0.lowercased().hasPrefix(lowercased) }
    let found = beginning.isEmpty ? names.filter { $0.lowercased().contains(lowercased) } : beginning
    return found.count <= most ? found : []
  }

  /// The end of a message: "; did you mean a or b?", or `otherwise` if there is no suggestion.
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
