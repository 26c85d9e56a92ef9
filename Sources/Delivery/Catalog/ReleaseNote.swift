import ContentPackage
import StrictJSON
import Support

/// The format of the notes of a release; the raw value is its media type.
public enum NoteFormat: String, Sendable, CaseIterable {
  /// Markdown.
  case markdown = "text/markdown"
  /// Text without markup.
  case plain = "text/plain"

  /// The end of the object's name in a store.
  var suffix: String {
    switch self {
    case .markdown: ".md"
    case .plain: ".txt"
    }
  }

  /// Returns the format of a file, by the end of its name; nil for any other name.
  package init?(fileName: String) {
    switch fileName.lowercased().split(separator: ".").last {
    case "md", "markdown": self = .markdown
    case "txt", "text": self = .plain
    default: return nil
    }
  }
}

/// The notes of a release in one language, stored as an object of the store.
package struct ReleaseNote: Sendable, Equatable {
  /// The maximum size of the text in bytes.
  package static let maximumByteCount = 64 << 10
  /// The maximum number of languages of a release.
  package static let maximumLanguageCount = 64

  package let language: LanguageTag
  package let format: NoteFormat
  /// The object with the text.
  package let object: ObjectReference

  package init(language: LanguageTag, format: NoteFormat, object: ObjectReference) {
    self.language = language
    self.format = format
    self.object = object
  }

  /// Compares language tags with regard to case.
  package static func == (left: ReleaseNote, right: ReleaseNote) -> Bool {
    left.language.text == right.language.text && left.format == right.format && left.object == right.object
  }
}

/// The members of the notes of a release in one language.
struct NoteFields {
  private let language: LanguageTag
  private var type: String?
  private var reference = ReferenceFields()

  private init(language: LanguageTag) { self.language = language }

  /// Reads the notes of a release by language.
  static func read(_ reader: inout JSONReader) throws(DocumentError) -> [NoteFields] {
    var notes: [NoteFields] = []
    try reader.object(atMost: ReleaseNote.maximumLanguageCount) { (key, reader) throws(DocumentError) in
      guard let language = LanguageTag(key) else { throw reader.error("'\(key)' is not a language") }
      guard !notes.contains(where: { $0.language == language }) else {
        throw reader.error("the language '\(language)' is repeated")
      }
      var fields = NoteFields(language: language)
      try reader.object { (key, reader) throws(DocumentError) in try fields.read(key, &reader) }
      notes.append(fields)
    }
    return notes
  }

  private mutating func read(_ key: String, _ reader: inout JSONReader) throws(DocumentError) {
    if key == "type" {
      type = try reader.string(atMost: DocumentLimits.maximumWordBytes)
    } else {
      try reference.read(key, &reader)
    }
  }

  /// Returns the notes of a version.
  func note(
    of product: ProductIdentifier, _ version: ContentVersion, _ reader: JSONReader
  ) throws(DocumentError) -> ReleaseNote {
    guard let format = type.flatMap({ NoteFormat(rawValue: $0) }) else {
      throw reader.error("the type of notes is '\(type ?? "")', expected text/markdown or text/plain")
    }
    return ReleaseNote(
      language: language, format: format,
      object: try reference.reference(atMost: Int64(ReleaseNote.maximumByteCount), reader) {
        .notes(product, version, format, $0)
      })
  }
}

extension JSONWriter {
  /// Writes the notes of a release, unless there are none.
  mutating func write(_ notes: [ReleaseNote]) {
    guard !notes.isEmpty else { return }
    key("notes")
    object { writer in
      for note in notes {
        writer.key(note.language.text)
        writer.object {
          $0.write(note.object)
          $0.member("type", note.format.rawValue)
        }
      }
    }
  }
}
