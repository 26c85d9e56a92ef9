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
    var unread: [InstalledItem] = []
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
      } else if verifies, record.digest != nil {
        unread.append(record)
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

  private func filesWithOtherContent(_ files: [InstalledItem], in tree: FileTree) throws -> [EntryPath] {
    guard !files.isEmpty else { return [] }
    progress.begin(.verifying, tree.path, totalBytes: SizeRules.sum(files.lazy.compactMap(\.size)))
    return try WorkerPool.collect(count: files.count, jobs: jobs) {
      let hasher = FileHasher()
      return { number in
        let item = files[number]
        let file = try tree.openFile(item.place.bytes)
        let digest = try hasher.digest(of: file, cancellation: cancellation, progress: progress)
        return digest == item.digest ? [] : [item.place]
      }
    }
  }
}
