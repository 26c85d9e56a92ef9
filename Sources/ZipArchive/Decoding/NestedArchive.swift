package import SafeFiles

/// An archive inside the content.
package enum NestedArchive {
  /// One entry of a nested archive.
  package struct Entry: Sendable {
    /// The name, or nil if it cannot be decoded.
    package let path: EntryPath?
    /// The first decoded bytes, up to the requested number.
    package let head: [UInt8]
    /// The declared number of decoded bytes.
    package let size: Int64
    package let isFolder: Bool
    /// Whether the permissions that the archive records have an execute bit.
    package let isExecutable: Bool
  }

  /// The reason why an archive was not read to its end.
  package enum ReadingError: Error {
    /// The first error or warning of the reader: one lower-case sentence without a full stop, safe to print.
    case archive(String)
    /// The archive cannot be read.
    case source(SourceError)
  }
}
