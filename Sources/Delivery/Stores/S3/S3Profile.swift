import SafeFiles
import SystemPackage

/// An AWS configuration file: sections in brackets, and lines of `key = value`.
struct S3ProfileFile: Sendable {
  /// The maximum number of bytes read.
  static let maximumByteCount = 1 << 20

  private let sections: [String: [String: String]]

  init(_ text: String) {
    var sections: [String: [String: String]] = [:]
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let isNested = line.first?.isWhitespace == true
      let content = Self.trimmed(Self.withoutComment(line))
      if content.hasPrefix("["), let end = content.firstIndex(of: "]") {
        let name = content[content.index(after: content.startIndex)..<end]
        section = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      } else if let section, !isNested, let equals = content.firstIndex(of: "=") {
        let key = Self.trimmed(content[..<equals]).lowercased()
        sections[section, default: [:]][key] = Self.trimmed(content[content.index(after: equals)...])
      }
    }
    self.sections = sections
  }

  /// Parses a file. A missing file counts as empty, and so does `/dev/null`, with which a user disables the file.
  ///
  /// - Throws: `SourceError` if the file cannot be read.
  static func read(_ path: String) throws(SourceError) -> S3ProfileFile {
    let file: InputFile
    do throws(FileError) { file = try InputFile.open(path) } catch {
      guard error.errno == .noSuchFileOrDirectory || FileSystem.isNullDevice(path) else { throw .file(error) }
      return S3ProfileFile("")
    }
    return S3ProfileFile(String(decoding: try file.bytes(at: 0, count: maximumByteCount), as: UTF8.self))
  }

  func settings(_ section: String) -> [String: String]? { sections[section] }

  /// Returns a line without its comment, which begins the line or follows white space.
  private static func withoutComment(_ line: Substring) -> Substring {
    if let first = line.first, first == "#" || first == ";" { return "" }
    for mark in [" #", " ;", "\t#", "\t;"] {
      if let range = line.firstRange(of: mark) { return withoutComment(line[..<range.lowerBound]) }
    }
    return line
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
