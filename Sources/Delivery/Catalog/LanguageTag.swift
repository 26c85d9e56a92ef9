/// The tag of a language (BCP 47), such as `de` or `pt-BR`.
public struct LanguageTag: Sendable, CustomStringConvertible {
  /// The maximum number of characters.
  package static let maximumLength = 35
  /// The tag of texts whose language is not stated.
  package static let undetermined = LanguageTag(unchecked: "und")

  /// The tag as its publisher wrote it.
  public let text: String
  /// The tag as its publisher wrote it.
  public var description: String { text }

  private init(unchecked text: String) { self.text = text }

  /// Creates a tag of subtags with 1 to 8 ASCII letters and digits, separated by hyphens; the first has 2 to 8 letters.
  ///
  /// - Returns: Nil for any other text.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maximumLength, let language = parts.first,
      (2...8).contains(language.count), language.allSatisfy(Self.isLetter),
      parts.allSatisfy({
        (1...8).contains($0.count) && $0.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
      })
    else { return nil }
    self.text = text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The tags that a text for this language may have, best first: `pt-br` and `pt` for `pt-BR`.
  var ranges: [String] {
    let parts = text.lowercased().split(separator: "-")
    return parts.indices.reversed().map { parts[...$0].joined(separator: "-") }
  }
}

extension LanguageTag: Hashable {
  /// Compares tags without regard to case.
  public static func == (left: LanguageTag, right: LanguageTag) -> Bool {
    left.text.lowercased() == right.text.lowercased()
  }

  /// Hashes the tag without regard to case.
  public func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}

extension Sequence<LanguageTag> {
  /// Returns the tag that suits a reader best.
  ///
  /// - Parameter languages: The languages of the reader, preferred first.
  /// - Returns: The first match in the order of `languages`, exact or by a prefix. Without a match, `und`, an English tag
  ///   or the first one; nil if there are no tags.
  func best(for languages: [LanguageTag]) -> LanguageTag? {
    let tags = Array(self)
    for language in languages {
      for range in language.ranges {
        let found =
          tags.first { $0.text.lowercased() == range } ?? tags.first { $0.ranges.contains(range) }
        if let found { return found }
      }
    }
    return tags.first { $0 == .undetermined } ?? tags.first { $0.ranges.last == "en" } ?? tags.first
  }
}
