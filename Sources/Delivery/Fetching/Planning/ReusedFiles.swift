import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The files of a release that are present in installed versions or in the received files of an earlier attempt. Their
/// digests have been verified against the index.
struct ReusedFiles: Sendable {
  private struct Location {
    let folder: UInt16
    let file: UInt32
  }

  private var folders: [ReusableFolder] = []
  /// For each folder with movable files, the number of entries that use a file.
  private var useCounts: [[UInt32: Int]] = []
  /// The location of each present file, by entry index.
  private var locations: [Location?]
  /// The received parts of incomplete files.
  private(set) var parts = ReceivedParts()
  /// The present chunks of incomplete files.
  private(set) var chunks = ReusedChunks.none

  /// Creates an empty set for `content`.
  init(of content: ReleaseContent) { locations = Array(repeating: nil, count: content.entries.count) }

  /// Searches a folder for the files of `content`, at any path. Unreadable files are ignored, and so are entries that
  /// an earlier folder provides.
  ///
  /// - Throws: `SourceError` if the record of the folder cannot be read, `Interruption`.
  mutating func search(
    _ folder: ReusableFolder, for content: ReleaseContent, _ context: WorkContext
  ) throws {
    let entries = content.entries
    var wanted = entries.indices.filter {
      entries[$0].kind == .file && entries[$0].size > 0 && locations[$0] == nil
    }.map { UInt32($0) }
    let sizes = Set(wanted.map { entries[Int($0)].size })
    var candidates: [UInt32] = []
    var candidateSizes: [Int64] = []
    try folder.forEachFile { index, size in
      guard sizes.contains(size) else { return }
      candidates.append(UInt32(index))
      candidateSizes.append(size)
    }
    guard !candidates.isEmpty, let folderIndex = UInt16(exactly: folders.count) else { return }
    context.progress.begin(
      .verifying, folder.path, totalBytes: SizeRules.sum(candidateSizes))
    wanted.sort { precedes(entries[Int($0)].digest, entries[Int($1)].digest) }
    let found = try WorkerPool.collect(count: candidates.count, jobs: context.jobs) {
      [wanted, candidates, candidateSizes] in
      var reader = ReusableFolder.Reader(folder)
      return { (index) -> [(first: Int, file: UInt32)] in
        let file = candidates[index]
        guard let digest = try reader.digest(of: Int(file), size: candidateSizes[index], context) else {
          return []
        }
        return Self.first(with: digest, in: wanted, of: content).map { [(first: $0, file: file)] } ?? []
      }
    }
    var useCounts: [UInt32: Int] = [:]
    // The number of files with the digest of a wanted entry, counted at the first entry with that digest.
    var copies = Array(repeating: 0, count: wanted.count)
    for (first, file) in found {
      let location = Location(folder: folderIndex, file: file)
      let digest = entries[Int(wanted[first])].digest
      let next = first + copies[first]
      copies[first] += 1
      if next == first {
        let equal = wanted[first...].prefix { entries[Int($0)].digest == digest }
        for entry in equal { locations[Int(entry)] = location }
        if folder.isMovable { useCounts[file] = equal.count }
      } else if folder.isMovable, next < wanted.count, entries[Int(wanted[next])].digest == digest,
        let other = locations[Int(wanted[next])]?.file
      {
        // Assigns equal files to equal entries one to one, so that each file can be moved.
        locations[Int(wanted[next - 1])] = location
        useCounts[other, default: 0] -= 1
        useCounts[file] = 1
      }
    }
    folders.append(folder)
    self.useCounts.append(useCounts)
  }

  /// Searches the received files of an earlier attempt for the files of `content` and parts of them.
  ///
  /// - Throws: `Interruption`.
  mutating func reuse(
    _ download: InstalledProducts.Download, for content: ReleaseContent, _ context: WorkContext
  ) throws {
    try search(.received(download.content), for: content, context)
    if let parts = download.parts { try search(.received(parts), for: content, context) }
    parts = try ReceivedParts(of: content, in: download, files: unusedFiles(in: download.content), context)
  }

  /// Deletes the received files of an earlier attempt that are not reused, to free the space. Call it after all
  /// searches.
  func removeUnusedFiles(of download: InstalledProducts.Download) {
    Self.remove(
      unusedFiles(in: download.content), except: parts.paths(compressed: false), from: download.content.tree)
    if let parts = download.parts {
      Self.remove(unusedFiles(in: parts), except: chunks.paths(in: .received(parts)), from: parts.tree)
    }
    if let packed = download.packed {
      Self.remove((try? packed.items()) ?? [], except: parts.paths(compressed: true), from: packed)
    }
  }

  /// Returns the files of a folder that are not files of the release.
  private func unusedFiles(in received: InstalledProducts.ReceivedTree) -> [FileTree.Item] {
    let used = Set(entries(in: .received(received)).keys.map { Int($0) })
    return received.files.indices.filter { !used.contains($0) }.map { received.files[$0] }
  }

  /// Searches installed versions and kept parts for the chunks of large files that are missing. Call it after the other
  /// searches.
  ///
  /// - Throws: The errors of `ReusedChunks.init`.
  mutating func searchForChunks(
    in folders: [ReusableFolder], for content: ReleaseContent, _ context: WorkContext
  ) throws {
    chunks = try ReusedChunks(of: content, beside: self, in: folders, context)
  }

  /// Returns the number of content bytes that are present, by entry index.
  func byteCounts(of content: ReleaseContent) -> [Int64] {
    content.entries.enumerated().map { index, entry in
      if has(index) { return entry.size }
      let known = parts.byteCount(of: index)
      return entry.chunkLocations.reduce(known) { sum, location in
        location.offset >= known && chunks.has(location.chunk.digest) ? sum + Int64(location.chunk.size) : sum
      }
    }
  }

  /// Returns one entry for each file of a folder that is reused as a whole, by file index.
  func entries(in folder: ReusableFolder) -> [UInt32: Int] {
    guard let folderIndex = folders.firstIndex(where: { $0.isSame(as: folder) }) else { return [:] }
    var found: [UInt32: Int] = [:]
    for (entry, location) in locations.enumerated() {
      if let location, Int(location.folder) == folderIndex { found[location.file] = entry }
    }
    return found
  }

  private static func remove(_ files: [FileTree.Item], except kept: Set<[UInt8]>, from tree: FileTree) {
    for file in files where !kept.contains(file.relativePath) {
      try? tree.removeFile(file.relativePath)  // a concurrent run may have removed the file
    }
  }

  /// Returns the index in `sorted`, which is ordered by digest, of the first entry with a digest; nil if there is none.
  private static func first(
    with digest: SHA256Digest, in sorted: [UInt32], of content: ReleaseContent
  ) -> Int? {
    let first = sorted.partitioningIndex { precedes(content.entries[Int($0)].digest, digest) }
    return first < sorted.count && content.entries[Int(sorted[first])].digest == digest ? first : nil
  }

  /// Opens the reused files; belongs to one thread.
  struct Reader {
    private let files: ReusedFiles
    private var folders: [ReusableFolder.Reader]

    init(_ files: ReusedFiles) {
      self.files = files
      folders = files.folders.map { ReusableFolder.Reader($0) }
    }

    /// Returns the file with the content of an entry; nil if there is none.
    ///
    /// - Throws: `FileError` if the file no longer exists, `SourceError`.
    mutating func file(for entry: Int) throws -> PresentFile? {
      guard let found = files.locations[entry] else { return nil }
      let location = try folders[Int(found.folder)].location(of: Int(found.file))
      let file = try location.open()
      return PresentFile(
        file, byteCount: file.byteCount, movableFrom: files.isMoved(found) ? location : nil)
    }
  }

  private func isMoved(_ location: Location) -> Bool { useCounts[Int(location.folder)][location.file] == 1 }

  /// Whether any files are moved to their new location.
  var movesFiles: Bool { !parts.isEmpty || useCounts.contains { !$0.isEmpty } }

  /// Returns the total size of the files and parts that are moved rather than copied.
  func movedBytes(of content: ReleaseContent) -> Int64 {
    content.entries.indices.reduce(parts.contentBytes) { sum, entry in
      sum + (locations[entry].map { isMoved($0) } == true ? content.entries[entry].size : 0)
    }
  }

  /// Returns whether a file with the content of an entry is present.
  func has(_ entry: Int) -> Bool { locations[entry] != nil }
}

/// Returns whether a digest precedes another; nil precedes every digest.
private func precedes(_ left: SHA256Digest?, _ right: SHA256Digest?) -> Bool {
  guard let left, let right else { return left == nil && right != nil }
  return left < right
}
