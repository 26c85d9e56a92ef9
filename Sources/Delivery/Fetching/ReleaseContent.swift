import ContentPackage
import ZipArchive

/// What the index of a release says of it.
struct ReleaseContent: Sendable {
  let release: Release
  /// In the order of their bytes.
  let entries: IndexEntries
  /// The bytes of `ContentInfo.plist`.
  let manifest: [UInt8]

  /// Reads the index of a release.
  ///
  /// - Throws: as `StoreReader.readIndex`; `Untrustworthy` if its manifest is not the one that it describes.
  init(of release: Release, by reader: StoreReader) throws {
    var entries = IndexEntries()
    manifest = try reader.readIndex(of: release) { entries.append($0) }
    self.release = release
    self.entries = entries
    guard let described = entries.first(where: { $0.path == PackageLayout.manifest }) else { return }
    guard described.digest == SHA256Digest(of: manifest), described.size == manifest.count else {
      throw Untrustworthy(
        reader.place(of: release.index.path), "has another manifest than the one that it describes")
    }
  }
}
