import ContentPackage
import SafeFiles
import ZipArchive

/// Notes what the files of a package are as they are checked, and writes them into a staging tree if there is one;
/// belongs to one thread.
final class StagingReceiver: ContentReceiver {
  private let tree: StagingTree?
  private let files: ReceivedFiles
  private let hasher = ContentHasher()
  /// The file that is being received, and its bytes so far; nil if it is not installed.
  private var path: EntryPath?
  private var size: Int64 = 0
  /// The index of the item.
  private var index = 0
  /// The folder that the last file went into: files come sorted, most into the same folder as the one before.
  private var folder: DirectoryHandle?
  private var folderPath: EntryPath?
  private var output: OutputFile?
  /// Whether the file that was received last is in the staging tree.
  private var isWritten = false

  init(into tree: StagingTree?, noting files: ReceivedFiles) {
    self.tree = tree
    self.files = files
  }

  func begin(_ item: ContentItem) throws {
    output = nil
    hasher.restart()
    size = 0
    index = item.index
    path = PackageContent.path(of: item)
    guard let tree, let path, tree.wants(path) else { return }
    if folder == nil || folderPath != path.parent {
      folder = try tree.folder(at: path.parent)
      folderPath = path.parent
    }
    output = try folder?.createFile(path.name, permissions: InstalledItem.filePermissions)
  }

  func receive(_ bytes: RawSpan) throws {
    guard path != nil else { return }
    hasher.update(bytes)
    size += Int64(bytes.byteCount)
    try output?.write(bytes)
  }

  func end() throws {
    isWritten = output != nil
    try output.take()?.close()
    if path != nil { files.note(index, size: size, hasher.finish()) }
  }

  /// A file that was written is not decoded a second time.
  func received() throws -> (any ByteSource)? {
    guard isWritten, let path else { return nil }
    return try folder?.openFile(path.name)
  }
}
