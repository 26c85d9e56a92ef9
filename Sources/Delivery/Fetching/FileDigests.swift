import ContentPackage
import Support

/// The contents of the files that a release installs.
struct FileDigests: Sendable {
  /// Sorted.
  private let digests: [SHA256Digest]

  /// Reads the index of a release.
  ///
  /// - Throws: as `StoreReader.readIndex`.
  init(of release: Release, by reader: StoreReader) throws {
    var digests = Collection()
    try reader.readIndex(of: release) { digests.add($0) }
    self = digests.finish()
  }

  init(of entries: IndexEntries) {
    var digests = Collection()
    for entry in entries { digests.add(entry) }
    self = digests.finish()
  }

  /// Those of a release without files.
  static let none = FileDigests(sorted: [])

  /// - Parameter sorted: sorted.
  private init(sorted: [SHA256Digest]) { digests = sorted }

  /// Bytes that an update from the release transfers to a package with these entries, in the order of their bytes, and an
  /// index of so many bytes.
  func updateBytes(to entries: some Sequence<IndexEntry>, indexBytes: Int64) -> Int64 {
    var update = UpdateTransfer(from: self)
    for entry in entries { update.add(entry) }
    return update.bytes(withIndexOf: indexBytes)
  }

  func contains(_ digest: SHA256Digest) -> Bool {
    let place = digests.partitioningIndex { $0 < digest }
    return place < digests.endIndex && digests[place] == digest
  }

  /// The digests of entries that come one after the other. It cannot be copied, so that sorting copies nothing either.
  struct Collection: ~Copyable {
    private var digests: [SHA256Digest] = []

    mutating func add(_ entry: IndexEntry) {
      // The manifest is not installed.
      guard entry.kind == .file, entry.path.isContent, let digest = entry.digest else { return }
      digests.append(digest)
    }

    consuming func finish() -> FileDigests {
      // In its place: another array would be as large.
      digests.sort()
      return FileDigests(sorted: digests)
    }
  }
}
