/// One way in which an archive leaves the strict profile.
package struct ZipFlaw: Sendable, Equatable {
  /// The raw value is the second half of the rule's identifier.
  package enum Kind: String, Sendable, CaseIterable {
    case notAZip = "not-a-zip"
    case truncated
    case endRecord = "end-record"
    case entryCount = "entry-count"
    case directorySize = "directory-size"
    case directoryRecord = "directory-record"
    case zip64
    case multiDisk = "multi-disk"
    case localMismatch = "local-mismatch"
    case overlap
    case gap
    case method
    case encrypted
    case flags
    case descriptor
    case sizeMismatch = "size-mismatch"
    case checksum
    case extraField = "extra-field"
    case comment
    case unflaggedName = "unflagged-name"

    /// Whether an archive with the flaw is still unambiguous and may be decoded.
    package var isTolerable: Bool { self == .comment || self == .unflaggedName }
  }

  package let kind: Kind
  /// The entry that is meant, or nil if it is the archive itself.
  package let path: EntryPath?
  /// What was found and what was expected: one lower-case sentence without a full stop, safe to print.
  package let message: String

  package init(_ kind: Kind, at path: EntryPath? = nil, _ message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }
}
