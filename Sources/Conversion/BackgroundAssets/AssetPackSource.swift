import ContentPackage
import Delivery
import SafeFiles
import Support
import ZipArchive

/// The manifest and the selected files of a pack on disk.
struct AssetPackSource {
  let folder: String
  private let manifest: InputFile
  private let root: FileTree
  private let selection: AssetPackSelection
  private let selectors: [AssetPackSelector]
  /// The status of each selected file before packing.
  private let statuses: [EntryPath: FileStatus]

  init(of pack: AssetPackProject.Pack, in parent: String, _ cancellation: Cancellation) throws {
    let folder = FileSystem.joined(parent, pack.name.escaped)
    self.folder = folder
    manifest = try DirectoryHandle.open(folder).openFile(AssetPackManifest.fileName.utf8)
    selection = pack.selection
    root = try FileTree.open(pack.manifest?.sourceRoot.map { FileSystem.joined(folder, $0) } ?? folder)
    selectors = pack.manifest?.selectors ?? []
    statuses = try Self.statuses(in: root, selectors, cancellation)
  }

  private static func statuses(
    in root: FileTree, _ selectors: [AssetPackSelector], _ cancellation: Cancellation
  ) throws -> [EntryPath: FileStatus] {
    // The source root of a valid project does not have too many items, so it has grown since the check.
    guard let items = try root.items(for: selectors, cancellation) else {
      throw SourceError.changed(root.path)
    }
    return Dictionary(items.map { (EntryPath(bytes: $0.relativePath), $0.status) }) { first, _ in first }
  }

  /// Returns the digest of the manifest and of the path, kind and content of each selected file.
  func digest(_ cancellation: Cancellation) throws -> SHA256Digest {
    var hasher = SHA256Hasher()
    func add(_ bytes: [UInt8]) { hasher.update(unsafe bytes.borrowedSpan.bytes) }  // UInt8 has no padding
    try add(Array("iapkg-asset-pack-1\0".utf8) + AssetPacker.digest(of: manifest, cancellation).bytes)
    for (path, source) in selection.sources.sorted(by: { $0.key < $1.key }) {
      try cancellation.check()
      add(path.bytes + [0])
      switch statuses[source]?.kind {
      case .file: try add([0] + AssetPacker.digest(of: root.openFile(source.bytes), cancellation).bytes)
      case .link: try add([1] + linkTarget(source) + [0])
      default: throw SourceError.changed(FileSystem.joined(root.path, source.escaped))
      }
    }
    return hasher.finish()
  }

  private func linkTarget(_ path: EntryPath) throws -> [UInt8] {
    let parent = FileSystem.joined(root.path, path.parent?.string ?? "")
    return try DirectoryHandle.open(parent).readLink(path.name)
  }

  /// Returns whether the manifest and the selected files are unchanged since before packing.
  func isUnchanged(_ cancellation: Cancellation) throws -> Bool {
    let now = try Self.statuses(in: root, selectors, cancellation)
    return try !manifest.hasChanged()
      && selection.sources.values.allSatisfy { path in
        guard let before = statuses[path], let after = now[path] else { return false }
        return !after.mayDiffer(from: before)
      }
  }
}
