import Support

/// The notes of a release in one language.
public struct ReleaseNotes: Sendable, Equatable {
  /// The language; `und` if the publisher did not state it.
  public let language: LanguageTag
  /// The format of the text.
  public let format: NoteFormat
  /// The text, verified by the digest in the release list. An app that renders Markdown must not trust the links and
  /// HTML in the text.
  public let text: String
}

extension StoreReader {
  /// Reads the notes of a release, and verifies them.
  ///
  /// - Throws: `IntegrityError`, `StoreError`.
  package func text(of note: ReleaseNote) throws -> ReleaseNotes {
    let bytes = try bytes(of: note.object)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw IntegrityError(place(of: note.object.path), "is not UTF-8")
    }
    return ReleaseNotes(language: note.language, format: note.format, text: text)
  }

  /// Reads the notes of a release in the language that best suits `languages`, which are ordered by preference; nil if
  /// the release has no notes.
  ///
  /// - Throws: The errors of `text(of:)`.
  package func notes(_ notes: [ReleaseNote], for languages: [LanguageTag]) throws -> ReleaseNotes? {
    let best = notes.map(\.language).best(for: languages)
    return try notes.first { $0.language == best }.map { try text(of: $0) }
  }
}
