package import ZipArchive

/// A package or a content folder, seen alike by everything that checks or copies content.
package protocol ContentSource: Sendable {
  var kind: ContentKind { get }
  /// All that is in it, sorted by the bytes of the paths.
  var items: [ContentItem] { get }
  /// Bytes of the package file, or nil for a folder.
  var archiveBytes: Int64? { get }
  /// What was found wrong with the container when it was opened.
  var findings: [Finding] { get }
  /// Whether items can be read: false for an archive that is not sound.
  var isReadable: Bool { get }

  /// Whether `items` are all that there is: false for an archive of which some entries could not be made out.
  var isComplete: Bool { get }

  /// A reader for the use of one thread.
  func makeReader() -> any ContentReader
}

extension ContentSource {
  /// All bytes of a small file.
  ///
  /// - Throws: as `ContentReader.read`.
  package func bytes(of item: ContentItem) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try makeReader().read(item) { block in
      unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

/// What an input is.
public enum ContentKind: String, Sendable {
  /// A package file.
  case package
  /// A content folder.
  case folder
}

/// Reads the files of a content source; belongs to one thread.
package protocol ContentReader: AnyObject {
  /// Streams a file's bytes into `body`, exactly as many as its item says.
  ///
  /// - Throws: `ContentDamage` if the bytes are not what the item promises, `FileFailure` if they cannot be
  ///   read, and whatever `body` throws.
  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws

  /// A file's bytes where they can be reached in any order without decoding, else nil.
  func data(of item: ContentItem) throws -> EntryData?
}

/// The bytes of an item are not what its record promises: a finding about the package.
package struct ContentDamage: Error { package let finding: Finding }
