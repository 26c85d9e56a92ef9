/// A pattern for paths, with the semantics of gitignore(5).
///
/// `*` matches any number of bytes other than slashes, `?` one such byte, `[a-z]` one byte of a range, and `**` between
/// slashes any number of folders. A slash at the start or in the middle anchors the pattern to the folder of its file.
/// A trailing slash restricts the pattern to folders. A backslash escapes the next character.
package struct PathPattern: Sendable {
  /// The maximum size of a pattern, in bytes.
  package static let maximumByteCount = 1_024

  /// The text of the pattern in its file, without the end of the line.
  package let text: String
  /// Whether the pattern re-includes items that earlier patterns matched.
  package let isNegated: Bool
  private let isForFolders: Bool
  /// Whether the pattern matches whole paths instead of names.
  private let isAnchored: Bool
  /// The parsed pattern; nil if it matches nothing.
  private let elements: [PatternElement]?

  /// Parses a line of a pattern file; nil for an empty line or a comment.
  package init?(_ line: String) {
    var bytes = Array(line.utf8)[...]
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    text = String(decoding: bytes, as: UTF8.self)
    guard bytes.first != UInt8(ascii: "#") else { return nil }
    Self.removeTrailingSpaces(&bytes)
    isNegated = bytes.first == UInt8(ascii: "!")
    if isNegated { bytes.removeFirst() }
    isForFolders = bytes.last == PatternElement.slash
    if isForFolders { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    isAnchored = bytes.contains(PatternElement.slash)
    if bytes.first == PatternElement.slash { bytes.removeFirst() }
    elements = PatternElement.elements(of: bytes)
  }

  /// Removes trailing spaces that no backslash escapes.
  private static func removeTrailingSpaces(_ bytes: inout ArraySlice<UInt8>) {
    while bytes.last == UInt8(ascii: " ") {
      let escapes = bytes.dropLast().reversed().prefix { $0 == PatternElement.backslash }.count
      guard escapes.isMultiple(of: 2) else { return }
      bytes.removeLast()
    }
  }

  /// Returns whether the pattern matches a path relative to the folder of the pattern's file.
  package func matches(_ path: some Collection<UInt8>, isFolder: Bool) -> Bool {
    if isForFolders, !isFolder { return false }
    guard let elements else { return false }
    let path = Array(path)
    let start = isAnchored ? nil : path.lastIndex(of: PatternElement.slash)
    return PatternElement.match(elements, path[(start.map { $0 + 1 } ?? 0)...])
  }
}
