import SafeFiles
import Synchronization
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

  private struct State {
    var next = 0
    var different: [EntryPath] = []
    var failure: (any Error)?

    mutating func claim(from files: [InstalledItem]) -> InstalledItem? {
      guard failure == nil, next < files.count else { return nil }
      next += 1
      return files[next - 1]
    }
  }

  private func filesWithOtherContent(_ files: [InstalledItem], in tree: FileTree) throws -> [EntryPath] {
    guard !files.isEmpty else { return [] }
    progress.begin(.verifying, tree.path, totalBytes: SizeRules.sum(files.lazy.compactMap(\.size)))
    let state = Mutex(State())
    WorkerPool.run(count: min(jobs, files.count)) { _ in
      while let item = state.withLock({ $0.claim(from: files) }) {
        do {
          let file = try tree.openFile(item.place.bytes)
          let digest = try ContentDigest.of(file, cancellation: cancellation, progress: progress)
          if digest != item.digest { state.withLock { $0.different.append(item.place) } }
        } catch {
          state.withLock { if $0.failure == nil { $0.failure = error } }
        }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.different
    }
  }
}
