import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The files of a release that are there already: in versions that are installed, or in what an earlier try has received.
/// Each was read, and is what the index says.
struct ReusedFiles: Sendable {
  private struct Place {
    let folder: UInt16
    let file: UInt32
  }

  private var folders: [ReusableFolder] = []
  /// In each folder from which files may be moved, how many entries need a file that any does.
  private var users: [[UInt32: Int]] = []
  /// By the number of the entry.
  private var places: [Place?]
  /// What is there of entries that are not.
  private(set) var parts = ReceivedParts()

  /// None of the files of `content` are there.
  init(of content: ReleaseContent) { places = Array(repeating: nil, count: content.entries.count) }

  /// Looks for the files of `content` in a folder, wherever they lie there. What cannot be read is not reused, nor what
  /// is there already in a folder that was looked into before.
  ///
  /// - Throws: `SourceError` if what is known of the folder cannot be read, `Interruption`.
  mutating func look(
    in folder: ReusableFolder, for content: ReleaseContent, _ context: WorkContext
  ) throws {
    let entries = content.entries
    var wanted = entries.indices.filter {
      entries[$0].kind == .file && entries[$0].size > 0 && places[$0] == nil
    }.map { UInt32($0) }
    let sizes = Set(wanted.map { entries[Int($0)].size })
    var candidates: [UInt32] = []
    var candidateSizes: [Int64] = []
    try folder.forEachFile { index, size in
      guard sizes.contains(size) else { return }
      candidates.append(UInt32(index))
      candidateSizes.append(size)
    }
    guard !candidates.isEmpty, let number = UInt16(exactly: folders.count) else { return }
    context.progress.begin(
      .verifying, folder.path, totalBytes: SizeRules.sum(candidateSizes))
    wanted.sort { precedes(entries[Int($0)].digest, entries[Int($1)].digest) }
    let found = try WorkerPool.collect(count: candidates.count, jobs: context.jobs) {
      [wanted, candidates, candidateSizes] in
      var reader = ReusableFolder.Reader(folder)
      return { (place) -> [(first: Int, file: UInt32)] in
        let file = candidates[place]
        guard let digest = try reader.digest(of: Int(file), size: candidateSizes[place], context) else {
          return []
        }
        return Self.first(with: digest, in: wanted, of: content).map { [(first: $0, file: file)] } ?? []
      }
    }
    var users: [UInt32: Int] = [:]
    // How many files have the content of a wanted entry, which is the first of those that have it.
    var copies = Array(repeating: 0, count: wanted.count)
    for (first, file) in found {
      let place = Place(folder: number, file: file)
      let digest = entries[Int(wanted[first])].digest
      let next = first + copies[first]
      copies[first] += 1
      if next == first {
        let equal = wanted[first...].prefix { entries[Int($0)].digest == digest }
        for entry in equal { places[Int(entry)] = place }
        if folder.isMovable { users[file] = equal.count }
      } else if folder.isMovable, next < wanted.count, entries[Int(wanted[next])].digest == digest,
        let other = places[Int(wanted[next])]?.file
      {
        // As many of several equal files as there are entries for them are used, so that each can be moved.
        places[Int(wanted[next - 1])] = place
        users[other, default: 0] -= 1
        users[file] = 1
      }
    }
    folders.append(folder)
    self.users.append(users)
  }

  /// Looks for the files of `content` and for parts of them among what an earlier try has received, and with
  /// `deletingOthers` deletes the rest, which would only take room.
  ///
  /// - Throws: `Interruption`.
  mutating func take(
    over download: InstalledProducts.Download, for content: ReleaseContent, deletingOthers: Bool,
    _ context: WorkContext
  ) throws {
    let number = folders.count
    try look(in: .received(download), for: content, context)
    let used = Set(places.lazy.compactMap { $0 }.filter { $0.folder == number }.map { Int($0.file) })
    let others = download.files.indices.filter { !used.contains($0) }.map { download.files[$0] }
    parts = ReceivedParts(of: content, in: download, files: others)
    guard deletingOthers else { return }
    Self.remove(others, but: parts.paths(packed: false), from: download.tree)
    if let packed = download.packed {
      Self.remove((try? packed.items()) ?? [], but: parts.paths(packed: true), from: packed)
    }
  }

  private static func remove(_ files: [FileTree.Item], but kept: Set<[UInt8]>, from tree: FileTree) {
    for file in files where !kept.contains(file.relativePath) {
      try? tree.removeFile(file.relativePath)  // somebody else may have done it
    }
  }

  /// The place of the first entry with this digest, among those that are sorted by digest.
  private static func first(
    with digest: SHA256Digest, in sorted: [UInt32], of content: ReleaseContent
  ) -> Int? {
    let first = sorted.partitioningIndex { precedes(content.entries[Int($0)].digest, digest) }
    return first < sorted.count && content.entries[Int(sorted[first])].digest == digest ? first : nil
  }

  /// Opens the files; belongs to one thread.
  struct Reader {
    private let files: ReusedFiles
    private var folders: [ReusableFolder.Reader]

    init(_ files: ReusedFiles) {
      self.files = files
      folders = files.folders.map { ReusableFolder.Reader($0) }
    }

    /// The file with the content of an entry; nil if there is none.
    ///
    /// - Throws: `FileError` if it is not there any more, `SourceError`.
    mutating func file(for entry: Int) throws -> PresentFile? {
      guard let found = files.places[entry] else { return nil }
      let place = try folders[Int(found.folder)].place(of: Int(found.file))
      let file = try place.open()
      return PresentFile(
        file, byteCount: file.byteCount, movableFrom: files.isMoved(found) ? place : nil)
    }
  }

  private func isMoved(_ place: Place) -> Bool { users[Int(place.folder)][place.file] == 1 }

  /// Whether files are moved to where they are needed.
  var movesFiles: Bool { !parts.isEmpty || users.contains { !$0.isEmpty } }

  /// Bytes of the files that are moved to where they are needed, whole or in part.
  func movedBytes(of content: ReleaseContent) -> Int64 {
    content.entries.indices.reduce(parts.contentBytes) { sum, entry in
      sum + (places[entry].map { isMoved($0) } == true ? content.entries[entry].size : 0)
    }
  }

  /// Whether a file with the content of an entry is there.
  func has(_ entry: Int) -> Bool { places[entry] != nil }
}

/// Whether a digest comes before another; none comes first.
private func precedes(_ left: SHA256Digest?, _ right: SHA256Digest?) -> Bool {
  guard let left, let right else { return left == nil && right != nil }
  return left < right
}
