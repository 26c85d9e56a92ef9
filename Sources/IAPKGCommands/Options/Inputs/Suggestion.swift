import ContentPackage

/// Suggestions for unknown names.
enum Suggestion {
  /// The minimum length, in bytes, of a word that can match a part of a name.
  private static let minimumPartLength = 3
  /// The maximum number of names in a suggestion.
  static let maximumCount = 4

  /// Command names of other package managers, each with the command of iapkg.
  private static let synonyms = ["list": "info", "verify": "validate", "install": "extract"]

  /// Returns the command that other package managers call `word`.
  static func command(knownAs word: String) -> String? { synonyms[word.lowercased()] }

  /// Returns the most similar of `names`, or else those that start with `word`, or else those that contain it; none if
  /// more than `maximumCount` match.
  static func names(for word: String, among names: [String]) -> [String] {
    if let nearest = Misspelling.nearest(to: word, among: names) { return [nearest] }
    let lowercased = word.lowercased()
    guard lowercased.utf8.count >= minimumPartLength else { return [] }
    let beginning = names.filter { $0.lowercased().hasPrefix(lowercased) }
    let found = beginning.isEmpty ? names.filter { $0.lowercased().contains(lowercased) } : beginning
    return found.count <= maximumCount ? found : []
  }

  /// Returns the end of a message: "; did you mean a or b?", or `otherwise` if there is no suggestion.
  static func ending(for word: String, among names: [String], otherwise: String) -> String {
    let found = self.names(for: word, among: names)
    return found.isEmpty ? otherwise : "; did you mean \(list(found))?"
  }

  /// Joins words: "a", "a or b", "a, b or c".
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}
