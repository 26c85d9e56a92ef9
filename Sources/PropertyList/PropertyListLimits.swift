/// What a property list may cost. The files are short descriptions, so the limits are far from anything real.
package enum PropertyListLimits {
  /// The length of a file in bytes.
  package static let fileSize = 1 << 20
  /// How deep arrays and dictionaries may be nested; far below the 256 elements at which libxml2 itself gives up.
  package static let depth = 64
  /// What a binary list may grow to when its shared objects are written out, in bytes of text and data.
  package static let expandedSize = 4 << 20
  /// What each value adds to the expanded size beside its text or data.
  static let valueOverhead = 8
  /// How many characters of the file a message repeats.
  static let quotedLength = 80
  /// The length of a start tag in bytes, which bounds how many attributes it can have.
  static let tagLength = 1024
}
