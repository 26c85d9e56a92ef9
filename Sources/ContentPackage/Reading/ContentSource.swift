package import SafeFiles
package import Support
package import ZipArchive

/// A common interface of packages and content folders for checking and copying content.
package protocol ContentSource: Sendable {
  /// The path as given, which is not safe to print.
  var path: String { get }
  /// The kind of the source.
  var kind: ContentKind { get }
  /// All items, sorted by the bytes of the paths.
  var items: ContentItems { get }
  /// The size of the package file in bytes, or nil for a folder.
  var archiveBytes: Int64? { get }
  /// The findings about the container, made when it was opened.
  var findings: [Finding] { get }
  /// Whether items can be read; false for an archive that is not sound.
  var isReadable: Bool { get }

  /// Whether `items` is complete; false for an archive with unreadable entries.
  var isComplete: Bool { get }

  /// The items that the user's settings exclude. A folder with its content counts once.
  var excluded: ExcludedItems { get }

  /// Returns whether the user ignores a finding. Reports limit the number of ignored findings separately.
  var ignores: @Sendable (Finding) -> Bool { get }

  /// Returns the recorded CRC-32 of a file; nil if none is recorded.
  func recordedChecksum(of item: ContentItem) -> UInt32?

  /// Returns the digest against which readers verify the whole content of a file; nil if they verify no digest.
  func verifiedDigest(of item: ContentItem) -> SHA256Digest?

  /// Returns the offset and method of an item's data in the package file; nil for an item of a content folder.
  func recordedData(of item: ContentItem) -> RecordedData?

  /// Returns the chunks of a large file in its package; none if they are unknown.
  ///
  /// - Throws: `SourceError`, `Interruption`.
  func chunks(of item: ContentItem, _ cancellation: Cancellation) throws -> [Chunk]

  /// Returns the number of bytes transferred for an item: its compressed size, or its size in a folder whose compressed
  /// sizes are unknown.
  func transferBytes(of item: ContentItem) -> Int64

  /// The size of the local files that are moved, not copied, into the unpacked content, in bytes.
  var movedBytes: Int64 { get }

  /// Returns whether the source was written since it was opened, so that the bytes read may be inconsistent.
  ///
  /// The result is always false for a folder, because readers compare each file with its status in the listing.
  func hasChanged() throws -> Bool

  /// Returns the order in which to read the files among `items`.
  func readingOrder(of items: ContentItems) -> ReadingOrder

  /// Returns a reader for one thread.
  func makeReader() -> any ContentReader

  /// Returns helpers for a scan of several parts; nil if the source has no files that helpers can decode.
  func makeHelpers(passParts: Int) -> (any ReadingHelpers)?

  /// Returns a reader for one thread, whose large files `helpers` decode ahead.
  func makeReader(with helpers: (any ReadingHelpers)?) -> any ContentReader

  /// Returns the same source with items without paths, if that saves memory. Its readers still require items with paths.
  func withoutPaths() -> any ContentSource
}

extension ContentSource {
  package func withoutPaths() -> any ContentSource { self }

  package func makeHelpers(passParts: Int) -> (any ReadingHelpers)? { nil }

  package func makeReader(with helpers: (any ReadingHelpers)?) -> any ContentReader { makeReader() }

  package var ignores: @Sendable (Finding) -> Bool { { _ in false } }

  package var movedBytes: Int64 { 0 }

  package func verifiedDigest(of item: ContentItem) -> SHA256Digest? { nil }

  package func recordedData(of item: ContentItem) -> RecordedData? { nil }

  package func chunks(of item: ContentItem, _ cancellation: Cancellation) throws -> [Chunk] { [] }

  package var excluded: ExcludedItems { ExcludedItems() }

  package func readingOrder(of items: ContentItems) -> ReadingOrder { ReadingOrder(of: items) }

  /// Performs work that reads content whose check found no damage. Damage then means that the source has changed.
  ///
  /// - Throws: `SourceError.changed` instead of `ContentError`, and the other errors of `work`.
  package func readingVerified<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch is ContentError { throw SourceError.changed(path) }
  }

  /// Returns all bytes of a small file.
  ///
  /// - Throws: The same errors as `ContentReader.read`.
  package func bytes(of item: ContentItem) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try makeReader().read(item) { block in
      unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

/// The number of items of a content folder that are excluded from the content.
public struct ExcludedItems: Sendable, Equatable {
  /// The number of files and links, except for those in excluded folders.
  public private(set) var files = 0
  /// The number of folders, each including its content.
  public private(set) var folders = 0
  /// The paths of the items, at most `maximumPathCount`.
  package private(set) var paths: [EntryPath] = []

  /// The maximum number of recorded paths.
  private static let maximumPathCount = 1_000

  /// Creates an empty record of excluded items.
  package init() {}

  /// Adds an item.
  package mutating func add(_ path: EntryPath, isFolder: Bool) {
    if isFolder { folders += 1 } else { files += 1 }
    if paths.count < Self.maximumPathCount { paths.append(path) }
  }

  /// Adds the items of another source.
  package static func += (left: inout ExcludedItems, right: ExcludedItems) {
    left.files += right.files
    left.folders += right.folders
    left.paths += right.paths.prefix(maximumPathCount - left.paths.count)
  }

  /// Whether no item was excluded.
  public var isEmpty: Bool { files == 0 && folders == 0 }
}

/// The kind of an input.
public enum ContentKind: String, Sendable {
  /// A package file.
  case package
  /// A content folder.
  case folder
  /// A folder of asset packs.
  case assetPacks = "asset-packs"
}

/// Reads the files of a content source; confined to one thread.
package protocol ContentReader: AnyObject {
  /// Streams a file's bytes into `body`, exactly as many as its item declares.
  ///
  /// - Throws: `ContentError` if the bytes do not match the item, `SourceError` if they cannot be read, and any error
  ///   of `body`.
  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws

  /// Streams a file's bytes into `body`. If the source has a local file with leading bytes of the file, passes that file to
  /// `place` first; see `ContentReceiver.place`.
  func read(
    _ item: ContentItem, placing place: (PresentFile) throws -> InputFile?, _ body: (RawSpan) throws -> Void
  ) throws

  /// Returns a file's data as stored in the source, with the compression method.
  func packed(_ item: ContentItem) throws -> CompressedData

  /// Returns a pull stream of a file's content, without verifying it against the file's record.
  func content(of item: ContentItem) throws -> any ContentStream
}

extension ContentReader {
  package func read(
    _ item: ContentItem, placing place: (PresentFile) throws -> InputFile?, _ body: (RawSpan) throws -> Void
  ) throws {
    try read(item, body)
  }

  /// Returns a file's content for random access; nil if the content must be decoded.
  package func data(of item: ContentItem) throws -> (any ByteSource)? {
    let packed = try packed(item)
    return packed.method == .stored ? packed.data : nil
  }
}

/// The record of an entry's data in a package.
package struct RecordedData {
  /// The offset of the data in the package, in bytes.
  package let offset: Int64
  /// The compression method of the data.
  package let method: ZipEntry.Method
}

/// A file's data as stored in a source, with the compression method.
package struct CompressedData {
  /// The compression method of `data`.
  package let method: ZipEntry.Method
  /// The stored bytes, which are the content itself if `method` is stored.
  package let data: any ByteSource

  /// Creates a value from stored bytes and their compression method.
  package init(method: ZipEntry.Method, data: any ByteSource) {
    self.method = method
    self.data = data
  }
}

/// A file's content as a pull stream.
package protocol ContentStream: AnyObject {
  /// Reads up to `count` bytes into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  /// - Throws: The same errors as `ContentReader.read`.
  func read(into buffer: inout [UInt8], count: Int) throws -> Int
}

/// The content of a file that needs no decoding.
package final class StoredStream: ContentStream {
  private let data: any ByteSource
  private var position: Int64 = 0

  /// Creates a stream of `data` from its first byte.
  package init(_ data: any ByteSource) { self.data = data }

  package func read(into buffer: inout [UInt8], count: Int) throws -> Int {
    let read = try data.read(at: position, into: &buffer, count: count)
    position += Int64(read)
    return read
  }
}

/// An error for an item whose bytes do not match the expected bytes. The receiver must discard the received bytes.
package protocol WrongContent: Error {}

/// An error for an item whose bytes do not match its record. The finding describes the defect of the package.
package struct ContentError: WrongContent { package let finding: Finding }
