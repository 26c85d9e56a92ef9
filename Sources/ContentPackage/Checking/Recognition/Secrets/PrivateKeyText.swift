import Support

/// Private keys in textual encoding (RFC 7468, and RFC 4880, 6.2).
///
/// The lines of a key may have a common prefix, such as `# `, or be strings in JSON or source code. A key may also be a
/// single line without line ends.
enum PrivateKeyText {
  /// The evidence of a key, in ascending order.
  enum Evidence: Int, Comparable {
    case none, partial, complete

    static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }
  }

  /// Returns the strongest evidence of a key in bytes, including UTF-16 text within binary data. The first line of a key
  /// is not enough, because programs contain it too. `isCut` is whether the file continues after the bytes.
  static func evidence(in bytes: Span<UInt8>, isCut: Bool) -> Evidence {
    var start = 0
    var evidence = Evidence.none
    while evidence != .complete, let match = bytes.firstText("-----BEGIN ", anchor: 5, from: start) {
      switch match {
      case .bytes(let begin):
        let key = keyEvidence(in: bytes, at: begin, isCut: isCut)
        evidence = max(evidence, key.evidence)
        start = key.end
      case .utf16(let position):
        let text = bytes.utf16Text(around: position)
        // The characters have no zeros, so the search within them finds no UTF-16.
        // In little-endian bytes, a zero belongs to the last character.
        let isTextCut = isCut && text.end >= bytes.count - 1
        evidence = max(evidence, self.evidence(in: text.characters.borrowedSpan, isCut: isTextCut))
        start = text.end
      }
    }
    return evidence
  }

  /// Returns the evidence of a key whose first line begins at `begin`, and the position where the search continues.
  private static func keyEvidence(
    in bytes: Span<UInt8>, at begin: Range<Int>, isCut: Bool
  ) -> (evidence: Evidence, end: Int) {
    let labelEnd = min(bytes.count, begin.upperBound + maximumLabelLength)
    let label = bytes.extracting(begin.upperBound..<labelEnd)
    guard let dashes = label.firstRange(of: "-----", anchor: 0) else { return (.none, begin.upperBound) }
    let start = begin.upperBound + dashes.upperBound
    guard label.extracting(first: dashes.lowerBound).firstRange(of: keyLabel, anchor: 0) != nil else {
      return (.none, start)
    }
    // After the first line, only the last line of a key has five dashes. A part of it may be beyond the bytes.
    let last = bytes.firstRange(of: "-----", anchor: 0, from: start).map(\.lowerBound).flatMap {
      isCut && bytes.count - $0 < maximumLabelLength && !isLastLine(bytes, at: $0) ? nil : $0
    }
    let body = body(
      of: bytes.extracting(start..<(last ?? bytes.count)),
      withoutPrefixIn: lineStart(in: bytes, before: begin.lowerBound))
    guard hasKeyData(body.borrowedSpan) else { return (.none, start) }
    let isEnded = last.map { isLastLine(bytes, at: $0) } ?? false
    guard isEnded || last == nil && isCut else { return (.partial, last ?? bytes.count) }
    let characters = body.count { $0.isBase64 }
    let isComplete = characters >= (isEnded ? minimumKeyLength : minimumCutKeyLength)
    return (isComplete ? .complete : .partial, last ?? bytes.count)
  }

  private static let keyLabel: StaticString = "PRIVATE KEY"
  /// The minimum number of characters of a complete key, which is that of an Ed25519 key.
  private static let minimumKeyLength = 64
  /// The minimum number of characters of a key whose end was not read.
  private static let minimumCutKeyLength = 512
  /// The maximum length of a label with its dashes, in bytes. "ENCRYPTED PRIVATE KEY" and others are shorter.
  private static let maximumLabelLength = 40
  /// The maximum length of a prefix of lines, in bytes.
  private static let maximumPrefixLength = 32
  /// The minimum number of characters of base64 at the start of a key's data.
  private static let minimumStart = 24
  /// The minimum number of characters of base64 at the start of a string in source code. Shorter runs are names in
  /// programs.
  private static let minimumQuotedStart = 48

  private static func isLastLine(_ bytes: Span<UInt8>, at position: Int) -> Bool {
    guard bytes.has("-----END ", at: position) else { return false }
    let end = min(bytes.count, position + maximumLabelLength)
    return bytes.extracting(position..<end).firstRange(of: keyLabel, anchor: 0) != nil
  }

  // MARK: Lines

  /// Returns the bytes of a line before `position`, at most the last `maximumPrefixLength`. The first of these may belong
  /// to other data.
  private static func lineStart(in bytes: Span<UInt8>, before position: Int) -> [UInt8] {
    let earliest = max(0, position - maximumPrefixLength)
    var start = position
    while start > earliest, !isLineEnd(bytes, before: start) { start -= 1 }
    return (start..<position).map { bytes[$0] }
  }

  /// Returns whether a line ends before `position`, unescaped or escaped as in JSON.
  private static func isLineEnd(_ bytes: Span<UInt8>, before position: Int) -> Bool {
    switch bytes[position - 1] {
    case 0x0A, 0x0D: true
    case UInt8(ascii: "n"), UInt8(ascii: "r"): position >= 2 && bytes[position - 2] == UInt8(ascii: "\\")
    default: false
    }
  }

  /// Returns the text after the first line of a key, without the prefixes of its lines.
  ///
  /// - Parameters:
  ///   - text: The text after the first line.
  ///   - first: The bytes before the key in its first line.
  /// - Returns: The text, without the longest suffix of `first` at the start of each line.
  private static func body(of text: Span<UInt8>, withoutPrefixIn first: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      if position > 0, isLineEnd(text, before: position) {
        let line = text.extracting(position...)
        position += first.indices.first { line.isPrefixed(by: first[$0...]) }.map { first.count - $0 } ?? 0
        guard position < text.count else { break }
      }
      body.append(text[position])
      position += 1
    }
    return body
  }

  /// Returns whether the text after the first line of a key begins with a header or base64.
  private static func hasKeyData(_ text: Span<UInt8>) -> Bool {
    let start = lineStart(in: text, from: 0)
    if isKeyData(text, at: start, minimum: minimumStart) { return true }
    // Skips the end of a string in source code and the start of the next string.
    var end = start
    while end < text.count, end < start + maximumPrefixLength, text[end].isPunctuation || text[end] == 0x20 {
      end += 1
    }
    guard end > start, end < text.count, isLineEnd(text, before: end + 1) else { return false }
    var next = lineStart(in: text, from: end)
    if next < text.count, text[next] == UInt8(ascii: "\"") || text[next] == UInt8(ascii: "'") { next += 1 }
    return isKeyData(text, at: next, minimum: minimumQuotedStart)
  }

  /// Returns the position after spaces and line ends, unescaped or escaped as in JSON.
  private static func lineStart(in text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < text.count, lineEnds.contains(text[position]) { position += 1 }
    return position
  }

  private static let lineEnds = Array("\r\n\t \\nr".utf8)

  private static func isKeyData(_ text: Span<UInt8>, at position: Int, minimum: Int) -> Bool {
    text.has("Proc-Type:", at: position) || text.has("Version:", at: position)
      || text.has("Comment:", at: position)
      || text.all(position..<position + minimum, \.isBase64)
  }
}
