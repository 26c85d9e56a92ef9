import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The chunks of a release's large files that are present in installed files or kept parts, at any path and position.
struct ReusedChunks: Sendable {
  /// The position of a chunk in a file of a folder.
  private struct Location {
    let folder: UInt16
    let file: UInt32
    let offset: UInt32
    let size: UInt32
  }

  private var folders: [ReusableFolder] = []
  private var locations: [ChunkDigest: Location] = [:]

  static let none = ReusedChunks()

  private init() {}

  /// Searches the large files of installed versions and the files of kept parts for missing chunks.
  ///
  /// Files are cut into chunks, except installed files that the release contains unchanged: its index lists their
  /// chunks. A file of a kept part begins and ends at a chunk boundary. Unreadable files are ignored.
  ///
  /// - Parameters:
  ///   - content: The content of the release.
  ///   - reused: The files and the leading bytes of files that are present.
  ///   - folders: The installed versions, and after them the kept parts.
  ///   - context: The context of the work.
  /// - Throws: `SourceError` if the record of a folder cannot be read, `Interruption`.
  init(
    of content: ReleaseContent, beside reused: ReusedFiles, in folders: [ReusableFolder],
    _ context: WorkContext
  ) throws {
    self.folders = folders
    var wanted: Set<ChunkDigest> = []
    for (index, chunks) in content.entries.chunks where !reused.has(index) {
      for chunk in chunks { wanted.insert(chunk.digest) }
    }
    guard !wanted.isEmpty else { return }
    for (folderIndex, folder) in folders.enumerated() {
      guard let folderIndex = UInt16(exactly: folderIndex) else { break }
      let known = reused.entries(in: folder)
      var candidates: [(file: UInt32, size: Int64)] = []
      try folder.forEachFile { index, size in
        if folder.isMovable {
          // A file that is reused as a whole is moved to its new location.
          if size > 0, known[UInt32(index)] == nil { candidates.append((UInt32(index), size)) }
          return
        }
        guard size >= ChunkCutter.minimumFileSize else { return }
        if let entry = known[UInt32(index)], content.entries.chunks[entry] != nil {
          for location in content.entries[entry].chunkLocations {
            add(
              location.chunk.digest,
              Location(
                folder: folderIndex, file: UInt32(index), offset: UInt32(location.offset),
                size: UInt32(location.chunk.size)),
              wanted)
          }
        } else {
          candidates.append((UInt32(index), size))
        }
      }
      guard !candidates.isEmpty else { continue }
      context.progress.begin(.verifying, folder.path, totalBytes: SizeRules.sum(candidates.map(\.size)))
      let found = try WorkerPool.collect(count: candidates.count, jobs: context.jobs) {
        [candidates, wanted] in
        var reader = ReusableFolder.Reader(folder)
        return { index in
          try Self.cut(candidates[index].file, candidates[index].size, wanted, &reader, context) {
            Location(folder: folderIndex, file: candidates[index].file, offset: $0, size: $1)
          }
        }
      }
      for (digest, location) in found { add(digest, location, wanted) }
    }
  }

  private mutating func add(_ digest: ChunkDigest, _ location: Location, _ wanted: Set<ChunkDigest>) {
    if wanted.contains(digest), locations[digest] == nil { locations[digest] = location }
  }

  /// Returns the wanted chunks of a file.
  private static func cut(
    _ file: UInt32, _ size: Int64, _ wanted: Set<ChunkDigest>, _ reader: inout ReusableFolder.Reader,
    _ context: WorkContext, _ location: (_ offset: UInt32, _ size: UInt32) -> Location
  ) throws -> [(ChunkDigest, Location)] {
    var found: [(ChunkDigest, Location)] = []
    var offset = UInt32(0)
    do {
      let file = try reader.location(of: Int(file)).open()
      // Offsets in larger files may not fit into 32 bits; no package has such files.
      guard file.byteCount <= Limits.maximumBytes else { return [] }
      try file.forEachChunk(context) { size, digest in
        if wanted.contains(digest) { found.append((digest, location(offset, UInt32(size)))) }
        offset += UInt32(size)
      }
    } catch is FileError {
    } catch is SourceError {
    }
    return found
  }

  /// Returns whether a local file has a chunk.
  func has(_ digest: ChunkDigest) -> Bool { locations[digest] != nil }

  /// Returns the paths of the files in a folder of received files that have reused chunks.
  func paths(in folder: ReusableFolder) -> Set<[UInt8]> {
    guard let folderIndex = folders.firstIndex(where: { $0.isSame(as: folder) }) else { return [] }
    var reader = ReusableFolder.Reader(folder)
    let files = Set(locations.values.lazy.filter { Int($0.folder) == folderIndex }.map(\.file))
    return Set(files.compactMap { try? reader.location(of: Int($0)).path })
  }

  /// Reads chunks; belongs to one thread.
  struct Reader {
    private let chunks: ReusedChunks
    private var folders: [ReusableFolder.Reader]
    /// The last opened file.
    private var last: (folder: UInt16, file: UInt32, input: InputFile)?

    init(_ chunks: ReusedChunks) {
      self.chunks = chunks
      folders = chunks.folders.map { ReusableFolder.Reader($0) }
    }

    /// Reads a chunk to the start of `buffer`.
    ///
    /// - Returns: Whether a local file still has the chunk.
    mutating func read(_ chunk: Chunk, into buffer: inout [UInt8]) -> Bool {
      guard let location = chunks.locations[chunk.digest], Int(location.size) == chunk.size,
        let file = try? file(of: location),
        let count = try? file.read(at: Int64(location.offset), into: &buffer, count: chunk.size)
      else { return false }
      return count == chunk.size && chunk.isIntact(in: buffer)
    }

    private mutating func file(of location: Location) throws -> InputFile {
      if let last, last.folder == location.folder, last.file == location.file { return last.input }
      let input = try folders[Int(location.folder)].location(of: Int(location.file)).open()
      last = (location.folder, location.file, input)
      return input
    }
  }
}

extension Chunk {
  /// Returns whether `buffer` starts with the content of the chunk.
  func isIntact(in buffer: [UInt8]) -> Bool {
    var hasher = SHA256Hasher()
    hasher.update(unsafe buffer.borrowedSpan.bytes.extracting(first: size))  // UInt8 has no padding
    return ChunkDigest(hasher.finish()) == digest
  }
}
