import SafeFiles
import ZipArchive

/// Writes files into a staging tree as they are checked; belongs to one thread.
final class StagingReceiver: ContentReceiver {
  private let tree: StagingTree
  /// The folder that the last file went into: files come sorted, most into the same folder as the one before.
  private var folder: DirectoryHandle?
  private var folderPath: EntryPath?
  private var output: OutputFile?

  init(_ tree: StagingTree) { self.tree = tree }

  func begin(_ item: ContentItem) throws {
    output = nil
    guard item.isContent, let path = item.path.withoutFirst else { return }  // the manifest is not content
    guard let parent = path.parent else {
      output = try tree.createFile(path.name)
      return
    }
    if folderPath != parent {
      folder = try tree.folder(at: parent)
      folderPath = parent
    }
    output = try folder?.createFile(path.name)
  }

  func receive(_ bytes: RawSpan) throws { try output?.write(bytes) }

  func end() throws { try output.take()?.close() }
}
