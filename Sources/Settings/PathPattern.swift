/// A pattern for paths, with the semantics of gitignore(5).
///
/// `*` and `?` match anything but a slash, `[a-z]` one character of a range, and `**` between slashes any number of
/// folders. A slash at the start or in the middle anchors the pattern to the folder of its file; a trailing slash
/// restricts it to folders. A backslash escapes the next character. Bytes are compared.
package struct PathPattern: Sendable {
  /// A part of a pattern between slashes.
  private enum Part: Sendable {
    /// Any number of parts.
    case anyFolders
    case name([UInt8])
  }

  /// The maximum size of a pattern, in bytes.
  package static let maximumByteCount = 1_024

  /// The text of the pattern in its file.
  package let text: String
  /// Whether the pattern includes items again that earlier patterns matched.
  package let isNegated: Bool
  private let isForFolders: Bool
  private let parts: [Part]

  /// - Returns: Nil for an empty line or a comment.
  package init?(_ line: String) {
    text = line
    var bytes = Array(line.utf8)[...]
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    Self.removeTrailingSpaces(&bytes)
    guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
    isNegated = first == UInt8(ascii: "!")
    if isNegated { bytes.removeFirst() }
    isForFolders = bytes.last == Self.slash
    if isForFolders { bytes.removeLast() }
    let isTied = bytes.contains(Self.slash)
    let names = bytes.split(separator: Self.slash)
    guard !names.isEmpty else { return nil }
    let parts = names.map { $0.elementsEqual("**".utf8) ? Part.anyFolders : .name(Array($0)) }
    self.parts = isTied ? parts : [.anyFolders] + parts
  }

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  /// Removes trailing spaces that no backslash escapes.
  private static func removeTrailingSpaces(_ bytes: inout ArraySlice<UInt8>) {
    while bytes.last == UInt8(ascii: " ") {
      let escapes = bytes.dropLast().reversed().prefix { $0 == backslash }.count
      guard escapes.isMultiple(of: 2) else { return }
      bytes.removeLast()
    }
  }

  /// Whether the pattern matches a path relative to the folder of the pattern's file.
  package func matches(_ path: some Collection<UInt8>, isFolder: Bool) -> Bool {
    matches(names: Self.names(of: path), isFolder: isFolder)
  }

  /// Whether the pattern matches the components of a path.
  func matches(names: [ArraySlice<UInt8>], isFolder: Bool) -> Bool {
    if isForFolders, !isFolder { return false }
    return Self.matches(parts[...], names[...])
  }

  /// Returns the components of a path.
  static func names(of path: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    Array(path).split(separator: slash)
  }

  /// Backtracks to the last `**` only, so the work is at most the product of the parts and the names.
  private static func matches(_ parts: ArraySlice<Part>, _ names: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    var (part, name) = (parts.startIndex, names.startIndex)
    var retry: (part: Int, name: Int)?
    while true {
      if part < parts.endIndex, case .anyFolders = parts[part] {
        part += 1
        // Everything in a folder, but not the folder itself.
        if part == parts.endIndex { return name < names.endIndex }
        retry = (part, name)
        continue
      }
      if part == parts.endIndex, name == names.endIndex { return true }
      if part < parts.endIndex, name < names.endIndex, case .name(let pattern) = parts[part],
        matches(pattern[...], names[name])
      {
        (part, name) = (part + 1, name + 1)
        continue
      }
      guard let last = retry, last.name < names.endIndex else { return false }
      retry = (last.part, last.name + 1)
      (part, name) = (last.part, last.name + 1)
    }
  }
}

// MARK: - Character classes

extension PathPattern {
  /// Returns the test for a character class of fnmatch(3), restricted to ASCII like git's wildmatch; nil for an unknown
  /// name.
  private static func characterClass(_ name: ArraySlice<UInt8>) -> ((UInt8) -> Bool)? {
    let isLower = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let isUpper = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let isHex = { (byte: UInt8) in
      isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    let isVisible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
    let isLetterOrDigit = { (byte: UInt8) in isLower(byte) || isUpper(byte) || isDigit(byte) }
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": return isLetterOrDigit
    case "alpha": return { isLower($0) || isUpper($0) }
    case "blank": return { $0 == 0x20 || $0 == 0x09 }
    case "cntrl": return { $0 < 0x20 || $0 == 0x7F }
    case "digit": return isDigit
    case "graph": return isVisible
    case "lower": return isLower
    case "print": return { isVisible($0) || $0 == 0x20 }
    case "punct": return { isVisible($0) && !isLetterOrDigit($0) }
    case "space": return { $0 == 0x20 || (0x09...0x0D).contains($0) }
    case "upper": return isUpper
    case "xdigit": return isHex
    default: return nil
    }
  }
}

// MARK: - Names

extension PathPattern {
  /// Whether a pattern without slashes matches a name. Backtracks to the last `*` only.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (rest, place) = (pattern, name.startIndex)
    var retry: (pattern: ArraySlice<UInt8>, place: Int)?
    while true {
      if rest.first == UInt8(ascii: "*") {
        rest = rest.drop { $0 == UInt8(ascii: "*") }
        if rest.isEmpty { return true }
        retry = (rest, place)
        continue
      }
      if rest.isEmpty, place == name.endIndex { return true }
      if place < name.endIndex, let behind = matchOne(rest, name[place...]) {
        (rest, place) = (behind.pattern, behind.place)
        continue
      }
      guard let last = retry, last.place < name.endIndex else { return false }
      retry = (last.pattern, last.place + 1)
      (rest, place) = (last.pattern, last.place + 1)
    }
  }

  /// Matches one element of a pattern, other than `*`, at the start of a name.
  ///
  /// - Returns: The rest of the pattern and the next index in the name; nil if the element does not match.
  private static func matchOne(
    _ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>
  ) -> (pattern: ArraySlice<UInt8>, place: Int)? {
    guard let element = pattern.first, let byte = name.first else { return nil }
    switch element {
    case UInt8(ascii: "?"):
      return (pattern.dropFirst(), name.startIndex + 1)
    case UInt8(ascii: "["):
      guard let (isMatch, behind) = matchSet(pattern.dropFirst(), byte) else { return nil }
      return isMatch ? (behind, name.startIndex + 1) : nil
    case backslash where pattern.count > 1:
      let literal = pattern.dropFirst()
      return literal.first == byte ? (literal.dropFirst(), name.startIndex + 1) : nil
    default: break
    }
    return element == byte ? (pattern.dropFirst(), name.startIndex + 1) : nil
  }

  /// Matches a byte against the set at the start of the pattern, after its opening bracket.
  ///
  /// - Returns: Nil if the set is not closed; the pattern then matches nothing, as in git.
  private static func matchSet(
    _ pattern: ArraySlice<UInt8>, _ byte: UInt8
  ) -> (isMatch: Bool, behind: ArraySlice<UInt8>)? {
    var rest = pattern
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest.removeFirst() }
    var isMatch = false
    var isFirst = true
    while let low = rest.popFirst() {
      if low == UInt8(ascii: "]"), !isFirst { return (isMatch != isNegated, rest) }
      isFirst = false
      if low == UInt8(ascii: "["), rest.first == UInt8(ascii: ":"),
        let close = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")), rest[close - 1] == UInt8(ascii: ":"),
        close - 1 > rest.startIndex
      {
        // As in git, an unknown class makes the whole pattern match nothing.
        guard let holds = characterClass(rest[(rest.startIndex + 1)..<(close - 1)]) else { return nil }
        if holds(byte) { isMatch = true }
        rest = rest[(close + 1)...]
        continue
      }
      let start = low == backslash ? rest.popFirst() ?? low : low
      var end = start
      if rest.first == UInt8(ascii: "-"), let next = rest.dropFirst().first, next != UInt8(ascii: "]") {
        end = next
        rest = rest.dropFirst(2)
        if next == backslash {
          guard let escaped = rest.popFirst() else { return nil }
          end = escaped
        }
      }
      if start <= end, (start...end).contains(byte) { isMatch = true }
    }
    return nil
  }
}
