import SafeFiles
import Support
import ZipArchive

/// A folder or archive that iapkg refuses to replace, because iapkg did not write it or it was changed since.
package struct UnmanagedAssetPack: Error, Sendable {
  /// The path; not safe to print.
  package let path: String
  /// Whether the item is an archive rather than the folder of a pack.
  package let isArchive: Bool
  /// Whether iapkg has written an item of that name, which was changed or replaced since.
  package let isChanged: Bool
}

extension AssetPackRecord {
  /// Verifies that the folder of a pack may be replaced: it is missing, empty, or has the staged content.
  ///
  /// - Parameters:
  ///   - name: The name of the folder.
  ///   - path: The folder of the asset packs.
  ///   - cancellation: Ends the work early.
  /// - Throws: `UnmanagedAssetPack`; `FileError`, `SourceError`, `Interruption`.
  func checkFolder(_ name: String, in path: String, _ cancellation: Cancellation) throws {
    let itemPath = FileSystem.joined(path, name)
    guard try FileSystem.status(of: itemPath, followingLinks: false) != nil else { return }
    let folder = try DirectoryHandle.open(itemPath)
    guard try !folder.isEmpty() else { return }
    let known = entries[name]?.staged ?? []
    guard try known.contains(Self.digest(of: folder, cancellation)) else {
      throw UnmanagedAssetPack(path: itemPath, isArchive: false, isChanged: !known.isEmpty)
    }
  }

  /// Verifies that the archive of a pack may be replaced: it is missing, or iapkg made it.
  ///
  /// - Throws: The errors of `checkFolder`.
  func checkArchive(of name: String, in path: String, _ cancellation: Cancellation) throws {
    let itemPath = FileSystem.joined(path, name + ".aar")
    guard try FileSystem.status(of: itemPath, followingLinks: false) != nil else { return }
    let entry = entries[name]
    let known = [entry?.archive?.digest, entry?.nextArchive].compactMap(\.self)
    guard let file = try? InputFile.openUnlinked(itemPath),
      try known.contains(AssetPacker.digest(of: file, cancellation))
    else { throw UnmanagedAssetPack(path: itemPath, isArchive: true, isChanged: !known.isEmpty) }
  }

  /// Returns the digest of everything in the folder of a pack: the paths and kinds of all items, the bytes of files,
  /// and the targets of links. Files that systems add to any folder do not count.
  ///
  /// - Throws: `FileError`, `SourceError`, `Interruption`.
  static func digest(
    of folder: consuming DirectoryHandle, _ cancellation: Cancellation
  ) throws -> SHA256Digest {
    let tree = FileTree(root: folder)
    let items = try tree.items(cancellation: cancellation)
    try cancellation.check()
    var hasher = SHA256Hasher()
    func add(_ bytes: [UInt8]) { hasher.update(unsafe bytes.borrowedSpan.bytes) }  // UInt8 has no padding
    add(Array("iapkg-staged-pack-1\0".utf8))
    for item in items {
      try cancellation.check()
      let isFile = item.status.kind == .file
      if isFile, isAddedBySystem(EntryPath(bytes: item.relativePath).name) { continue }
      add(Array(item.status.kind.name.utf8) + [0] + item.relativePath + [0])
      if isFile {
        add(try AssetPacker.digest(of: tree.openFile(item.relativePath), cancellation).bytes)
      } else if let target = item.linkTarget {
        add(target + [0])
      }
    }
    return hasher.finish()
  }

  /// Returns whether a file has a name that macOS or Windows uses for files that it adds to folders.
  private static func isAddedBySystem(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: "._".utf8)
      || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(String(decoding: name, as: UTF8.self))
  }
}
