import Digests
import SafeFiles
import ZipArchive

/// Holds a folder against what was installed in it.
struct TreeInspector {
  /// Whether contents and permissions count, and not only kinds, sizes and the targets of links.
  let verifies: Bool
  let jobs: Int
  let cancellation: Cancellation
  /// Counts the bytes of the contents that are read.
  let progress: WorkProgress

  /// Compares; the items are sorted by place.
  ///
  /// - Throws: `FileFailure` if a folder or file cannot be read, `Interruption`.
  func inspect(_ tree: FileTree, against items: [InstalledItem]) throws -> ProductInspection {
    let found = try tree.items { items.index(of: EntryPath(bytes: $0.relativePath)) != nil }
    var modified: [EntryPath] = []
    var extra: [EntryPath] = []
    var isPresent = [Bool](repeating: false, count: items.count)
    var unread: [ExpectedFile] = []
    for item in found {
      let path = EntryPath(bytes: item.relativePath)
      guard let index = items.index(of: path) else {
        extra.append(path)
        continue
      }
      let record = items[index]
      isPresent[index] = true
      if !matches(item, record) {
        modified.append(path)
      } else if verifies, case .file(let size, let digest) = record.kind {
        unread.append(ExpectedFile(place: path, size: size, digest: digest))
      }
    }
    modified += try filesWithOtherContent(unread, in: tree)
    return ProductInspection(
      missing: zip(items, isPresent).filter { !$0.1 }.map(\.0.place), modified: modified.sorted(),
      extra: extra)
  }

  private func matches(_ item: FileTree.Item, _ record: InstalledItem) -> Bool {
    let isSame =
      switch (item.status.kind, record.kind) {
      case (.file, .file(let size, _)): item.status.size == size
      case (.folder, .folder): true
      case (.link, .link(let target)): item.linkTarget == target
      default: false
      }
    return isSame && (!verifies || record.permissions == nil || item.status.permissions == record.permissions)
  }

  private func filesWithOtherContent(_ files: [ExpectedFile], in tree: FileTree) throws -> [EntryPath] {
    guard !files.isEmpty else { return [] }
    progress.begin(.verifying, tree.path, totalBytes: SizeRules.sum(files.lazy.map(\.size)))
    return try WorkerPool.collect(count: files.count, jobs: jobs) {
      let hasher = FileHasher()
      return { number in
        let expected = files[number]
        let file = try tree.openFile(expected.place.bytes)
        let digest = try hasher.digest(of: file, cancellation: cancellation, progress: progress)
        return digest == expected.digest ? [] : [expected.place]
      }
    }
  }
}

/// A file that is to be read, and what must be in it.
private struct ExpectedFile {
  let place: EntryPath
  let size: Int64
  let digest: ContentDigest
}
