/// U+FEFF in UTF-8, with which some editors begin a file (Unicode, section 23.8).
package enum ByteOrderMark {
  private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns a text without its leading byte order mark.
  package static func dropped(from text: [UInt8]) -> [UInt8] {
    text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text
  }
}
