import ContentPackage
import Support

/// The digests of the files and chunks that a release installs, and of the pages of its index, which a client keeps.
struct FileDigests: Sendable {
  /// In ascending order.
  private let digests: [SHA256Digest]
  private let pages: Set<SHA256Digest>
  /// The chunks of the large files.
  private let chunks: Set<ChunkDigest>

  /// Reads the index of a release.
  ///
  /// - Throws: The errors of `StoreReader.readIndex`.
  init(of release: Release, by reader: StoreReader) throws {
    var digests = Collection()
    let head = try reader.readIndex(of: release) { digests.add($0) }
    self = digests.finish(head)
  }

  init(of content: ReleaseContent) {
    var digests = Collection()
    for entry in content.entries { digests.add(entry) }
    self = digests.finish(content.index.head)
  }

  /// The digests of a release without files.
  static let none = FileDigests(sorted: [], pages: [], chunks: [])

  /// Creates the digests of a release of which only chunks are known.
  init(chunks: Set<ChunkDigest>) { self.init(sorted: [], pages: [], chunks: chunks) }

  /// Creates the digests of a release.
  ///
  /// - Parameters:
  ///   - sorted: Digests in ascending order.
  ///   - pages: The digests of the pages of the index.
  ///   - chunks: The digests of the chunks.
  private init(sorted: [SHA256Digest], pages: Set<SHA256Digest>, chunks: Set<ChunkDigest>) {
    digests = sorted
    self.chunks = chunks
    self.pages = pages
  }

  /// Returns the number of bytes that an update from the release transfers: the missing parts of the index and of the
  /// content. `entries` are those of the new package, in offset order.
  func updateBytes(to entries: some Sequence<IndexEntry>, _ index: IndexHead) -> Int64 {
    var update = UpdateTransfer(from: self)
    for entry in entries { update.add(entry) }
    return update.bytes(withIndexOf: indexBytes(of: index))
  }

  /// Returns the number of bytes of an index that a client with the release requests.
  func indexBytes(of index: IndexHead) -> Int64 {
    index.transferBytes { pages.contains(index.pages[$0].digest) }
  }

  func contains(_ digest: SHA256Digest) -> Bool {
    let index = digests.partitioningIndex { $0 < digest }
    return index < digests.endIndex && digests[index] == digest
  }

  func contains(_ digest: ChunkDigest) -> Bool { chunks.contains(digest) }

  /// Collects the digests of successive entries. Noncopyable, so that sorting does not copy the array.
  struct Collection: ~Copyable {
    private var digests: [SHA256Digest] = []
    private var chunks: Set<ChunkDigest> = []

    mutating func add(_ entry: IndexEntry) {
      // The manifest is not installed as a file.
      guard entry.kind == .file, entry.path.isContent, let digest = entry.digest else { return }
      digests.append(digest)
      for chunk in entry.contentChunks { chunks.insert(chunk.digest) }
    }

    /// Returns all digests.
    ///
    /// - Parameter index: The head of the index that lists the entries.
    /// - Returns: The digests of the files, the chunks and the pages.
    consuming func finish(_ index: IndexHead) -> FileDigests {
      // Sorts in place: a second array would be as large.
      digests.sort()
      return FileDigests(sorted: digests, pages: Set(index.pages.lazy.map(\.digest)), chunks: chunks)
    }
  }
}
