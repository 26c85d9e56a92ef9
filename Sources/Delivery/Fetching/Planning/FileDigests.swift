import ContentPackage
import Support

/// The digests of the files that a release installs.
struct FileDigests: Sendable {
  /// In ascending order.
  private let digests: [SHA256Digest]

  /// Reads the index of a release.
  ///
  /// - Throws: The errors of `StoreReader.readIndex`.
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

  /// The digests of a release without files.
  static let none = FileDigests(sorted: [])

  /// - Parameter sorted: Digests in ascending order.
  private init(sorted: [SHA256Digest]) { digests = sorted }

  /// Returns the bytes that an update from the release to a package with these entries, in offset order, transfers: its
  /// index of `indexBytes` bytes and the missing parts.
  func updateBytes(to entries: some Sequence<IndexEntry>, indexBytes: Int64) -> Int64 {
    var update = UpdateTransfer(from: self)
    for entry in entries { update.add(entry) }
    return update.bytes(withIndexOf: indexBytes)
  }

  func contains(_ digest: SHA256Digest) -> Bool {
    let index = digests.partitioningIndex { $0 < digest }
    return index < digests.endIndex && digests[index] == digest
  }

  /// Collects the digests of successive entries. Noncopyable, so that sorting does not copy the array.
  struct Collection: ~Copyable {
    private var digests: [SHA256Digest] = []

    mutating func add(_ entry: IndexEntry) {
      // The manifest is not installed as a file.
      guard entry.kind == .file, entry.path.isContent, let digest = entry.digest else { return }
      digests.append(digest)
    }

    consuming func finish() -> FileDigests {
      // Sorts in place: a second array would be as large.
      digests.sort()
      return FileDigests(sorted: digests)
    }
  }
}
