/// The limits of a property list. Manifests are short, so the limits are far above any real one.
package enum PropertyListLimits {
  /// The maximum size of a file, in bytes.
  package static let fileSize = 1 << 20
  /// The maximum depth of arrays and dictionaries, far below the 256 elements at which libxml2 fails.
  package static let depth = 64
  /// The size of a binary property list with its shared objects written out, in bytes of text and data.
  package static let expandedSize = 4 << 20
  /// The bytes that each value adds to the expanded size besides its text or data.
  static let valueOverhead = 8
  /// The number of characters of the file that a message repeats.
  static let quotedLength = 80
  /// The maximum length of a start tag, in bytes. It limits the number of attributes.
  static let tagLength = 1024
}
