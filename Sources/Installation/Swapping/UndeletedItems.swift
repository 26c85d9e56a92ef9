import SafeFiles
import Synchronization
import ZipArchive

/// The items that a change could not delete and has moved aside in `.iapkg`.
final class UndeletedItems: Sendable {
  private struct Item {
    /// The path before the change, safe to print.
    let path: String
    /// The name in `.iapkg`.
    let name: EntryPath
  }

  private let items = Mutex<[Item]>([])

  var isEmpty: Bool { items.withLock { $0.isEmpty } }

  /// Records that the item at `path`, safe to print, now has the name in `.iapkg`.
  func note(_ path: String, as name: EntryPath) { items.withLock { $0.append(Item(path: path, name: name)) } }

  /// Returns the paths in `.iapkg` that the item at `path` in `folder`, safe to print, has if it could not be deleted.
  func paths(of path: EntryPath, in folder: String) -> [EntryPath] {
    items.withLock { items in
      items.compactMap { item -> EntryPath? in
        if folder == item.path { return item.name.appending(path.bytes) }
        if folder.hasPrefix(item.path + "/") {
          return item.name.appending(folder.utf8.dropFirst(item.path.utf8.count + 1)).appending(path.bytes)
        }
        return FileSystem.joined(folder, path.escaped) == item.path ? item.name : nil
      }
    }
  }
}

extension DocumentsFolder {
  /// Returns the paths that a change has deleted completely: `paths` without those of which something is left in an
  /// item that was moved aside.
  func deleted(_ paths: LocatedPaths) -> LocatedPaths {
    guard !undeleted.isEmpty else { return paths }
    return paths.filtered { folder, path in
      !undeleted.paths(of: path, in: folder).contains { workFolder.hasFile(at: $0) }
    }
  }
}
