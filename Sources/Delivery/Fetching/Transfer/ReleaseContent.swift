import ContentPackage
import StrictJSON
import Support
import ZipArchive

/// The contents of the index of a release.
struct ReleaseContent: Sendable {
  let release: Release
  /// In offset order.
  let entries: IndexEntries
  /// The index, and the bytes requested for it.
  private let received: ReceivedIndex
  var index: PagedIndex { received.index }
  /// The bytes of `ContentInfo.plist`.
  var manifest: [UInt8] { index.head.manifest }
  /// The byte counts of `ReceivedIndex`.
  var indexBytes: (missing: Int64, received: Int64) { (received.missingBytes, received.receivedBytes) }

  /// Reads the index of a release, except the pages that `kept` has.
  ///
  /// - Throws: The errors of `StoreReader.readIndex`; `IntegrityError` if the manifest does not match its entry in the
  ///   index.
  init(of release: Release, by reader: StoreReader, reusing kept: KeptIndex = .none) throws {
    var entries = IndexEntries()
    received = try reader.index(of: release, reusing: kept)
    try Self.read(received.index, of: release, by: reader) { entries.append($0) }
    self.release = release
    self.entries = entries
  }

  /// Reads the index of a release and passes its entries to `body`.
  ///
  /// - Returns: The head of the index.
  /// - Throws: The errors of `init(of:by:)`.
  static func read(
    _ release: Release, by reader: StoreReader, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws -> IndexHead {
    let index = try reader.index(of: release).index
    try read(index, of: release, by: reader, body)
    return index.head
  }

  private static func read(
    _ index: PagedIndex, of release: Release, by reader: StoreReader,
    _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws {
    var described: IndexEntry?
    let manifest = index.head.manifest
    try reader.read(index, of: release) { (entry) throws(DocumentError) in
      if described == nil, entry.path == PackageLayout.manifest { described = entry }
      try body(entry)
    }
    if let described, described.digest != SHA256Digest(of: manifest) || described.size != manifest.count {
      throw IntegrityError(
        reader.place(of: release.index.path), "has a manifest that does not match its entry")
    }
  }
}
