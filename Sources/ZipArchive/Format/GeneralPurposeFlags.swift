/// The general purpose bit flags (APPNOTE 4.4.4).
enum GeneralPurposeFlags {
  /// Bit 3: checksum and sizes are in a data descriptor after the data.
  static let descriptor: UInt16 = 1 << 3
  /// Bit 11: name and comment are UTF-8.
  static let utf8: UInt16 = 1 << 11
  /// Bits 0, 6 and 13: encrypted, strongly encrypted, local header masked.
  static let encryption: UInt16 = 1 << 0 | 1 << 6 | 1 << 13
  /// The flags that the strict profile allows: bits 1 and 2 (the compression level), 3 and 11.
  static let allowed: UInt16 = 1 << 1 | 1 << 2 | descriptor | utf8
}
