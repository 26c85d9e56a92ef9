import ArgumentParser
import Delivery
import SafeFiles
import Support

/// A file with release notes that `--notes` names.
struct NoteFile {
  let path: String
  private let language: LanguageTag
  private let format: NoteFormat

  /// Parses the values of `--notes`: files, each optionally with its language before an equals sign.
  ///
  /// - Throws: `ValidationError` for a name without a known ending, a repeated language, or too many files.
  static func files(_ values: [String]) throws -> [NoteFile] {
    var files: [NoteFile] = []
    for value in values {
      let file = try NoteFile(value)
      if let other = files.first(where: { $0.language == file.language }) {
        throw ValidationError(
          "--notes names two files without a language or with the same one, \(shown(other.path)) and \(shown(file.path)); "
            + "give each its own, such as de=\(shown(file.path))")
      }
      files.append(file)
    }
    guard files.count <= ReleaseNote.maximumLanguageCount else {
      throw ValidationError(
        "--notes is given \(files.count) times, expected at most \(ReleaseNote.maximumLanguageCount) languages"
      )
    }
    return files
  }

  private init(_ value: String) throws {
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, let language = LanguageTag(String(parts[0])) {
      (self.language, path) = (language, String(parts[1]))
    } else {
      (language, path) = (.undetermined, value)
    }
    guard let format = NoteFormat(fileName: path) else {
      throw ValidationError(
        "--notes is \(Self.shown(path)), expected the name of a file that ends in .md or .txt")
    }
    self.format = format
  }

  /// Reads and checks the file.
  ///
  /// - Throws: `FileError`, `ValidationError`.
  func read(_ cancellation: Cancellation) throws -> NoteText {
    let limit = ReleaseNote.maximumByteCount
    guard let bytes = try SmallInput.read(path, atMost: limit, cancellation: cancellation) else {
      throw ValidationError("the notes in \(Self.shown(path)) have more than \(limit) bytes")
    }
    do throws(NoteText.InvalidText) { return try NoteText(bytes, in: language, format) } catch {
      throw ValidationError("the notes file \(Self.shown(path)) \(error.message)")
    }
  }

  private static func shown(_ path: String) -> String { String(displaying: path.utf8) }
}
