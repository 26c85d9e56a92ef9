import ContentPackage
import Support
import ZipArchive

/// A package that is updated to from a release, of which the files are there already that have the same content.
struct UpdateTarget: Sendable {
  /// A file that is installed. There may be hundreds of thousands, so nothing else is kept of them.
  private struct File: Sendable {
    let digest: SHA256Digest
    let offset: Int64
    let packedSize: Int64
  }

  /// In the order of their bytes, without those that have none.
  private var files: [File] = []
  /// Bytes of its index, all of which are transferred.
  private let indexBytes: Int64

  /// - Parameters:
  ///   - entries: in the order of their bytes.
  ///   - count: how many there are: an array that grows is in memory twice meanwhile.
  ///   - indexBytes: the bytes of the index.
  init(of entries: some Sequence<IndexEntry>, count: Int, indexBytes: Int64) {
    self.init(indexBytes: indexBytes)
    files.reserveCapacity(count)
    for entry in entries { add(entry) }
  }

  /// A package of which no entry is known yet; see `add`.
  init(indexBytes: Int64) { self.indexBytes = indexBytes }

  /// Adds an entry whose bytes come after those of all others.
  mutating func add(_ entry: IndexEntry) {
    guard let digest = entry.digest, entry.packedSize > 0, TransferPlan.isFile(entry) else { return }
    files.append(File(digest: digest, offset: entry.offset, packedSize: entry.packedSize))
  }

  /// What an update transfers: the index, and the parts of the package that `ReleaseFetcher` would ask for.
  func transferBytes(from installed: FileDigests) -> Int64 {
    let wanted = files.indices.lazy.filter { !installed.contains(files[$0].digest) }.map { UInt32($0) }
    let plan = TransferPlan(of: Array(wanted)) { number in
      let file = files[Int(number)]
      return file.offset..<file.offset + file.packedSize
    }
    return indexBytes + plan.bytes
  }
}

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

  /// - Parameter sorted: sorted.
  private init(sorted: [SHA256Digest]) { digests = sorted }

  func contains(_ digest: SHA256Digest) -> Bool {
    let place = digests.partitioningIndex { $0 < digest }
    return place < digests.endIndex && digests[place] == digest
  }

  /// The digests of entries that come one after the other.
  struct Collection {
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
