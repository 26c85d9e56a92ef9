import Delivery
import Support

/// The notes of a release in reports. Their text is untrusted.
struct NotesRendering {
  /// The maximum number of shown lines.
  private static let maximumLineCount = 20

  private let notes: Result<ReleaseNotes, any Error>

  init(_ notes: Result<ReleaseNotes, any Error>) { self.notes = notes }

  /// The first lines of the notes, indented, or the error of reading them.
  var lines: [String] {
    switch notes {
    case .success(let notes):
      var lines = notes.shownText.split(separator: "\n", omittingEmptySubsequences: false)
      while lines.last?.isEmpty == true { lines.removeLast() }
      let rest = lines.count - Self.maximumLineCount
      return lines.prefix(Self.maximumLineCount).map { $0.isEmpty ? "" : "    \($0)" }
        + (rest > 0 ? ["    and \(Quantity.count(rest, "more line"))"] : [])
    case .failure(let error):
      return [
        "    the notes cannot be read: \(CommandError(error, cancellation: Cancellation(), inputs: []).message)"
      ]
    }
  }

  var document: NotesDocument? { (try? notes.get()).map(NotesDocument.init) }
}

extension ReleaseNotes {
  /// The text line by line, safe to print.
  var shownText: String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line in String(displaying: line.utf8.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }) }
      .joined(separator: "\n")
  }
}

/// The notes of a release in one language, in a JSON document.
struct NotesDocument: Encodable {
  let language: String
  /// `text/markdown` or `text/plain`.
  let type: String
  let text: String

  init(_ notes: ReleaseNotes) {
    language = notes.language.text
    type = notes.format.rawValue
    text = notes.shownText
  }
}

extension [String: String] {
  /// The metadata of a release in text: "chapter=3, mode=night"; nil if there is none.
  var shownMetadata: String? {
    isEmpty
      ? nil
      : sorted { $0.key < $1.key }.map { String(displaying: "\($0.key)=\($0.value)".utf8) }
        .joined(separator: ", ")
  }

  /// The metadata of a release in a JSON document, safe to print.
  var displayed: [String: String] { mapValues { String(displaying: $0.utf8) } }
}
