import CLibrary

extension Span<UInt8> {
  /// Returns the range of the first occurrence of the text at or after `start`; nil if there is none.
  ///
  /// `anchor` is the index in the text of the byte that the search looks for first. The byte should be rare in other
  /// files.
  func firstRange(of text: StaticString, anchor: Int, from start: Int = 0) -> Range<Int>? {
    let length = text.utf8CodeUnitCount
    return unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let wanted = unsafe CInt(text.utf8Start[anchor])
      var position = start + anchor
      let end = bytes.count - (length - anchor) + 1
      while position < end {
        guard let hit = unsafe memchr(base + position, wanted, end - position) else { return nil }
        let found = unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(hit))
        if has(text, at: found - anchor) { return found - anchor..<found - anchor + length }
        position = found + 1
      }
      return nil
    }
  }
}
