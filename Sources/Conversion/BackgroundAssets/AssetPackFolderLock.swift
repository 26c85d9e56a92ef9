import ContentPackage
import SafeFiles
import Synchronization

/// The lock of a folder of asset packs. One process at a time stages and packs in it, so that no pack changes while it
/// is read.
package final class AssetPackFolderLock: Sendable {
  private let folder = Mutex<DirectoryHandle?>(nil)

  /// Creates a lock that is not acquired yet.
  package init() {}

  /// Acquires the lock of the folder at `path`, and holds the lock as long as this object exists. Further calls have no
  /// effect.
  ///
  /// - Throws: `InputBusy` if another process holds it; `FileError`.
  func acquire(_ path: String) throws {
    try folder.withLock { held in
      let isHeld =
        switch held {
        case .some: true
        case .none: false
        }
      guard !isHeld else { return }
      let folder = try DirectoryHandle.open(path)
      guard try folder.lock() else { throw InputBusy(path: path) }
      held = consume folder
    }
  }
}
