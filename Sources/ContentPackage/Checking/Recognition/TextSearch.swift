import CLibrary

extension Span<UInt8> {
  /// The position of a text in bytes.
  enum TextMatch {
    /// The range of a text of one byte per character.
    case bytes(Range<Int>)
    /// The position of the first character of a text in UTF-16 of either byte order, which may begin at any byte.
    case utf16(Int)
  }

  /// Returns the first occurrence of an ASCII text at or after `start`, in ASCII or UTF-16. The search looks for the text's
  /// byte at `anchor` first, so that byte should be rare in other files.
  func firstText(_ text: StaticString, anchor: Int, from start: Int = 0) -> TextMatch? {
    let length = text.utf8CodeUnitCount
    return unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let wanted = unsafe CInt(text.utf8Start[anchor])
      let following = unsafe text.utf8Start[anchor + 1]
      var position = start + anchor
      while position < bytes.count {
        guard let hit = unsafe memchr(base + position, wanted, bytes.count - position) else { return nil }
        let found = unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(hit))
        position = found + 1
        guard found + 2 < bytes.count else { return nil }
        if unsafe bytes[found + 1] == following, has(text, at: found - anchor) {
          return .bytes(found - anchor..<found - anchor + length)
        }
        let first = found - 2 * anchor
        if unsafe bytes[found + 1] == 0 && bytes[found + 2] == following, first >= start,
          hasUTF16(text, at: first)
        {
          return .utf16(first)
        }
      }
      return nil
    }
  }

  /// Returns whether the text is at the offset in UTF-16. The zero before its first character in big-endian order and the
  /// zero after its last character in little-endian order do not matter.
  private func hasUTF16(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { wanted in
      guard offset >= 0, offset <= count - (2 * wanted.count - 1) else { return false }
      for index in 0..<wanted.count {
        guard unsafe self[offset + 2 * index] == wanted[index],
          index == 0 || self[offset + 2 * index - 1] == 0
        else { return false }
      }
      return true
    }
  }

  /// Returns the ASCII characters of the UTF-16 text, of either byte order, that has a character at `position`. Also returns
  /// the position after the last character, where another text may begin.
  func utf16Text(around position: Int) -> (characters: [UInt8], end: Int) {
    var first = position
    while first >= 2, self[first - 1] == 0, self[first - 2] != 0 { first -= 2 }
    var characters: [UInt8] = []
    var next = first
    while next < count, self[next] != 0, next == first || self[next - 1] == 0 {
      characters.append(self[next])
      next += 2
    }
    return (characters, next - 1)
  }
}
