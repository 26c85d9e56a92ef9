import ContentPackage
import StrictJSON
import Support
import ZipArchive

/// The contents of the index of a release.
struct ReleaseContent: Sendable {
  let release: Release
  /// In offset order.
  let entries: IndexEntries
  /// The bytes of `ContentInfo.plist`.
  let manifest: [UInt8]

  /// Reads the index of a release.
  ///
  /// - Throws: The errors of `StoreReader.readIndex`; `IntegrityError` if the manifest does not match its entry in the
  ///   index.
  init(of release: Release, by reader: StoreReader) throws {
    var entries = IndexEntries()
    manifest = try Self.read(release, by: reader) { entries.append($0) }
    self.release = release
    self.entries = entries
  }

  /// Reads the index of a release and passes its entries to `body`.
  ///
  /// - Returns: The bytes of `ContentInfo.plist`.
  /// - Throws: The errors of `init(of:by:)`.
  static func read(
    _ release: Release, by reader: StoreReader, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws -> [UInt8] {
    var described: IndexEntry?
    let manifest = try reader.readIndex(of: release) { (entry) throws(DocumentError) in
      if described == nil, entry.path == PackageLayout.manifest { described = entry }
      try body(entry)
    }
    if let described, described.digest != SHA256Digest(of: manifest) || described.size != manifest.count {
      throw IntegrityError(
        reader.place(of: release.index.path), "has another manifest than the one that it describes")
    }
    return manifest
  }
}
