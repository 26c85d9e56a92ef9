import SafeFiles
import Support

/// The path of an entry in an archive or content folder: bytes, with parts separated by `/`.
///
/// Swift compares strings by canonical equivalence, but two names with different Unicode forms are two entries.
/// Therefore
/// paths are kept, compared and sorted as bytes.
public struct EntryPath: Hashable, Comparable, Sendable {
  /// The path without a trailing `/`. It need not be UTF-8, nor a valid path.
  public let bytes: [UInt8]

  /// A path of these bytes.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// A path of the string's UTF-8.
  public init(_ string: String) { self.init(bytes: string.utf8) }

  /// Compares the bytes.
  public static func < (left: EntryPath, right: EntryPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// The path as text, or nil if its bytes are not UTF-8.
  public var string: String? { String(validating: bytes, as: UTF8.self) }

  /// The path as text that is safe in a message or on a terminal.
  public var escaped: String { String(displaying: bytes) }

  /// The parts between the slashes. An empty path has one empty part.
  package var parts: [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// The last part.
  package var name: ArraySlice<UInt8> {
    bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }

  /// The path without its last part, or nil at the root.
  package var parent: EntryPath? {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { EntryPath(bytes: bytes[..<$0]) }
  }

  package func appending(_ part: some Sequence<UInt8>) -> EntryPath {
    bytes.isEmpty ? EntryPath(bytes: part) : EntryPath(bytes: bytes + [UInt8(ascii: "/")] + part)
  }

  package func appending(_ part: String) -> EntryPath { appending(part.utf8) }
}
