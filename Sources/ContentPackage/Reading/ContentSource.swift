package import SafeFiles
package import ZipArchive

/// A package or a content folder, seen alike by everything that checks or copies content.
package protocol ContentSource: Sendable {
  /// The path by which it was opened, which is not safe to print.
  var path: String { get }
  var kind: ContentKind { get }
  /// All that is in it, sorted by the bytes of the paths.
  var items: ContentItems { get }
  /// Bytes of the package file, or nil for a folder.
  var archiveBytes: Int64? { get }
  /// What was found wrong with the container when it was opened.
  var findings: [Finding] { get }
  /// Whether items can be read: false for an archive that is not sound.
  var isReadable: Bool { get }

  /// Whether `items` are all that there is: false for an archive of which some entries could not be made out.
  var isComplete: Bool { get }

  /// The items that the user's choices left out; a folder counts once, with all that is in it.
  var leftOut: LeftOutItems { get }

  /// The CRC-32 that a record promises for a file; nil where there is no such record.
  func recordedChecksum(of item: ContentItem) -> UInt32?

  /// The offset and method of an item's data in the package file; nil for a folder.
  func recordedData(of item: ContentItem) -> RecordedData?

  /// Bytes that are transferred for an item: as it is packed, or as it lies in a folder whose packed sizes are unknown.
  func transferBytes(of item: ContentItem) -> Int64

  /// Bytes of the content that are on the disk already, and are moved to where they are unpacked.
  var movedBytes: Int64 { get }

  /// Whether what has been read may not belong together, since something was written meanwhile.
  ///
  /// It is always false for a folder, each file of which is held against its own state when it is read.
  func hasChanged() throws -> Bool

  /// In which order files are read, all of which are among `items`.
  func readingOrder(of items: ContentItems) -> ReadingOrder

  /// A reader for the use of one thread.
  func makeReader() -> any ContentReader

  /// The same source with items that have no paths, if that saves memory. Its readers take items with paths as ever.
  func withoutPaths() -> any ContentSource
}

extension ContentSource {
  package func withoutPaths() -> any ContentSource { self }

  package var movedBytes: Int64 { 0 }

  package func recordedData(of item: ContentItem) -> RecordedData? { nil }

  package var leftOut: LeftOutItems { LeftOutItems() }

  package func readingOrder(of items: ContentItems) -> ReadingOrder { ReadingOrder(of: items) }

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

/// The number of items of a content folder that are no part of its content.
public struct LeftOutItems: Sendable, Equatable {
  /// Files and links, except for those in folders that were left out.
  public internal(set) var files = 0
  /// Folders, with all that is in them.
  public internal(set) var folders = 0

  /// Whether nothing was left out.
  public var isEmpty: Bool { files == 0 && folders == 0 }
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
  /// - Throws: `ContentError` if the bytes are not what the item promises, `SourceError` if they cannot be
  ///   read, and whatever `body` throws.
  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws

  /// The same, where `place` may put what is on this machine already to where the content goes; see
  /// `ContentReceiver.place`.
  func read(
    _ item: ContentItem, placing place: (PresentFile) throws -> InputFile?, _ body: (RawSpan) throws -> Void
  ) throws

  /// A file's bytes as they lie in the source, and how they are packed there.
  func packed(_ item: ContentItem) throws -> PackedData

  /// A file's content, to be read at the pace of whoever asks; it is not held against its record.
  func content(of item: ContentItem) throws -> any ContentStream
}

extension ContentReader {
  package func read(
    _ item: ContentItem, placing place: (PresentFile) throws -> InputFile?, _ body: (RawSpan) throws -> Void
  ) throws {
    try read(item, body)
  }

  /// A file's content where it can be reached in any order without decoding, else nil.
  package func data(of item: ContentItem) throws -> (any ByteSource)? {
    let packed = try packed(item)
    return packed.method == .stored ? packed.data : nil
  }
}

/// The record that a package has of the data of an entry.
package struct RecordedData {
  /// The offset of the data in the package, in bytes.
  package let offset: Int64
  package let method: ZipEntry.Method
}

/// A file's bytes as they lie in a source.
package struct PackedData {
  package let method: ZipEntry.Method
  package let data: any ByteSource

  package init(method: ZipEntry.Method, data: any ByteSource) {
    self.method = method
    self.data = data
  }
}

/// A file's content, read piece by piece.
package protocol ContentStream: AnyObject {
  /// Fills the first `count` bytes of `buffer` with the next ones.
  ///
  /// - Returns: how many bytes there were, fewer than asked for only at the end.
  /// - Throws: as `ContentReader.read`.
  func read(into buffer: inout [UInt8], count: Int) throws -> Int
}

/// The content of a file that need not be decoded.
package final class StoredStream: ContentStream {
  private let data: any ByteSource
  private var position: Int64 = 0

  package init(_ data: any ByteSource) { self.data = data }

  package func read(into buffer: inout [UInt8], count: Int) throws -> Int {
    let read = try data.read(at: position, into: &buffer, count: count)
    position += Int64(read)
    return read
  }
}

/// The bytes of an item are not what was promised, so that what was received of it is good for nothing.
package protocol WrongContent: Error {}

/// The bytes of an item are not what its record promises: a finding about the package.
package struct ContentError: WrongContent { package let finding: Finding }
