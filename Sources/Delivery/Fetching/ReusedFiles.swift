import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The files of a release that are there already: in versions that are installed, or in what an earlier try has received.
/// Each was read, and is what the index says.
struct ReusedFiles: Sendable {
  private struct Place {
    let folder: Int
    let file: Int
  }

  private var folders: [ReusableFolder] = []
  private var places: [SHA256Digest: Place] = [:]

  /// Looks for the files of `content` in a folder, wherever they lie there. What cannot be read is not reused, nor what
  /// is there already in a folder that was looked into before.
  ///
  /// - Throws: `Interruption`.
  mutating func look(
    for content: ReleaseContent, in folder: ReusableFolder, _ context: WorkContext
  ) throws {
    var sizes: Set<Int64> = []
    var digests: Set<SHA256Digest> = []
    for entry in content.entries where entry.kind == .file && entry.size > 0 {
      guard let digest = entry.digest, places[digest] == nil else { continue }
      sizes.insert(entry.size)
      digests.insert(digest)
    }
    let candidates = folder.indices.filter { sizes.contains(folder.size(of: $0)) }
    guard !candidates.isEmpty else { return }
    context.progress.begin(
      .verifying, folder.path, totalBytes: candidates.reduce(0) { $0 + folder.size(of: $1) })
    let found = try WorkerPool.collect(count: candidates.count, jobs: context.jobs) {
      { place in
        let file = candidates[place]
        return try folder.digest(of: file, context).map { [($0, file)] } ?? []
      }
    }
    for (digest, file) in found where digests.contains(digest) {
      places[digest] = Place(folder: folders.count, file: file)
    }
    folders.append(folder)
  }

  /// The file with this content; nil if there is none.
  ///
  /// - Throws: `FileFailure` if it is not there any more.
  func file(with digest: SHA256Digest) throws(FileFailure) -> InputFile? {
    guard let place = places[digest] else { return nil }
    return try folders[place.folder].open(place.file)
  }

  /// Whether a file with this content is there.
  func has(_ digest: SHA256Digest?) -> Bool { digest.map { places[$0] != nil } ?? false }
}

/// A folder with files that may be those of a release.
enum ReusableFolder: Sendable {
  case installed(InstalledItems, FileTree)
  case received(InstalledProducts.Download)

  private var tree: FileTree {
    switch self {
    case .installed(_, let tree): tree
    case .received(let download): download.tree
    }
  }

  var path: String { tree.path }

  var indices: Range<Int> {
    switch self {
    case .installed(let items, _): items.indices
    case .received(let download): download.files.indices
    }
  }

  /// Bytes of a file; -1 for what is none.
  func size(of index: Int) -> Int64 {
    switch self {
    case .installed(let items, _):
      guard case .file(let size, _) = items[index].kind else { return -1 }
      return size
    case .received(let download): return download.files[index].status.size
    }
  }

  func open(_ index: Int) throws(FileFailure) -> InputFile {
    switch self {
    case .installed(let items, _): try tree.openFile(items[index].path.bytes)
    case .received(let download): try tree.openFile(download.files[index].relativePath)
    }
  }

  /// The digest of a file; nil if it cannot be read, or has another size.
  ///
  /// - Throws: `Interruption`.
  func digest(of index: Int, _ context: WorkContext) throws -> SHA256Digest? {
    do {
      let file = try open(index)
      guard file.byteCount == size(of: index) else { return nil }
      var hasher = SHA256Hasher()
      let isWhole = try file.forEachBlock { block in
        try context.cancellation.check()
        hasher.update(block)
        context.progress.advance(by: Int64(block.byteCount))
      }
      return isWhole ? hasher.finish() : nil
    } catch is FileFailure {
      return nil
    } catch is SourceError {
      return nil
    }
  }
}
