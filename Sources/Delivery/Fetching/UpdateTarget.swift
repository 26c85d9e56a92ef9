import ContentPackage
import Support
import ZipArchive

/// A package that is updated to from a release, of which the files are there already that have the same content.
struct UpdateTarget: Sendable {
  /// In the order of their bytes; none but the manifest has its path, which nothing else is known by.
  private let entries: IndexEntries
  /// Bytes of its index, all of which are transferred.
  private let indexBytes: Int64

  /// - Parameters:
  ///   - entries: in the order of their bytes.
  ///   - indexBytes: the bytes of the index.
  init(of entries: some Sequence<IndexEntry>, indexBytes: Int64) {
    var collection = Collection(indexBytes: indexBytes)
    for entry in entries { collection.add(entry) }
    self = collection.finish()
  }

  private init(entries: IndexEntries, indexBytes: Int64) {
    self.entries = entries
    self.indexBytes = indexBytes
  }

  /// The entries of a package that come one after the other.
  struct Collection {
    private let indexBytes: Int64
    private var entries = IndexEntries()

    init(indexBytes: Int64) { self.indexBytes = indexBytes }

    mutating func add(_ entry: IndexEntry) {
      entries.append(entry.path == PackageLayout.manifest ? entry : entry.withoutPath)
    }

    consuming func finish() -> UpdateTarget { UpdateTarget(entries: entries, indexBytes: indexBytes) }
  }

  /// What an update transfers: the index, and the parts of the package that `ReleaseFetcher` would ask for.
  func transferBytes(from installed: FileDigests) -> Int64 {
    let plan = TransferPlan(ofFiles: entries) { entry, _ in entry.digest.map(installed.contains) ?? false }
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

  private init(sorting digests: consuming [SHA256Digest]) {
    digests.sort()
    self.digests = digests
  }

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

    consuming func finish() -> FileDigests { FileDigests(sorting: digests) }
  }
}

extension IndexEntry {
  fileprivate var withoutPath: IndexEntry {
    IndexEntry(
      path: EntryPath(""), kind: kind, mode: mode, size: size, digest: digest, method: method, offset: offset,
      packedSize: packedSize, crc32: crc32)
  }
}
