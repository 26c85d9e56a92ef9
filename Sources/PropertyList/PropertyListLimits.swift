/// The limits of a property list, which are far above the needs of real manifests.
package enum PropertyListLimits {
  /// The maximum size of a file, in bytes.
  package static let maximumFileSize = 1 << 20
  /// The maximum depth of arrays and dictionaries, far below the 256 elements at which libxml2 fails.
  package static let maximumDepth = 64
  /// The maximum size of a binary property list with its shared objects written out, in bytes of text and data.
  package static let maximumExpandedSize = 4 << 20
  /// The number of bytes that each value adds to the expanded size, besides its text or data.
  static let valueOverhead = 8
  /// The length, after escaping, at which a message truncates a quotation from the file.
  static let maximumQuotedLength = 80
  /// The maximum length of a tag in bytes, which limits the number of its attributes.
  static let maximumTagLength = 1024
}
