/// One way in which an archive deviates from the strict profile.
package struct ZipFinding: Sendable, Equatable {
  package enum Kind: Sendable, CaseIterable {
    case notAZip
    case truncated
    case endRecord
    case entryCount
    case directorySize
    case directoryRecord
    case zip64
    case multiDisk
    /// A local file header is missing or contradicts the central directory header.
    case localMismatch
    /// Several entries, or an entry and the central directory, share bytes.
    case overlap
    /// Bytes belong to no entry and no record.
    case gap
    case method
    case encrypted
    case flags
    case descriptor
    case sizeMismatch
    case checksum
    case extraField
    case comment
    /// A name is UTF-8, but its UTF-8 flag is not set.
    case unflaggedName
    /// The names exceed the byte limit.
    case nameBytes

    /// Whether the archive is still unambiguous and may be decoded.
    package var isTolerable: Bool { self == .comment || self == .unflaggedName }
  }

  package let kind: Kind
  /// The entry, or nil for the archive itself.
  package let path: EntryPath?
  /// The finding and the expectation: one lower-case sentence without a full stop, safe to print.
  package let message: String
  /// The number of further findings of the same kind that are not kept.
  package let omitted: Int

  package init(_ kind: Kind, at path: EntryPath? = nil, _ message: String, omitted: Int = 0) {
    self.kind = kind
    self.path = path
    self.message = message
    self.omitted = omitted
  }
}
