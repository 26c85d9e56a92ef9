import Digests
import SafeFiles
import ZipArchive

/// Writes files into a staging tree as they are checked, and notes what they are; belongs to one thread.
final class StagingReceiver: ContentReceiver {
  private let tree: StagingTree
  private let notes: DigestReceiver
  /// The folder that the last file went into: files come sorted, most into the same folder as the one before.
  private var folder: DirectoryHandle?
  private var folderPath: EntryPath?
  private var output: OutputFile?

  init(_ tree: StagingTree) {
    self.tree = tree
    notes = DigestReceiver(tree.plan)
  }

  func begin(_ item: ContentItem) throws {
    output = nil
    notes.begin(item)
    guard let place = tree.plan.place(of: item) else { return }
    guard let parent = place.parent else {
      output = try tree.createFile(place.name)
      return
    }
    if folderPath != parent {
      folder = try tree.folder(at: parent)
      folderPath = parent
    }
    output = try folder?.createFile(place.name, permissions: InstalledItem.filePermissions)
  }

  func receive(_ bytes: RawSpan) throws {
    notes.receive(bytes)
    try output?.write(bytes)
  }

  func end() throws {
    try output.take()?.close()
    notes.end()
  }
}

/// Notes what files are, as they are checked; belongs to one thread.
final class DigestReceiver: ContentReceiver {
  private let plan: InstallationPlan
  private var place: EntryPath?
  private let hasher = FileHasher()
  private var size: Int64 = 0

  init(_ plan: InstallationPlan) { self.plan = plan }

  func begin(_ item: ContentItem) {
    place = plan.place(of: item)
    hasher.begin(size: item.size)
    size = 0
  }

  func receive(_ bytes: RawSpan) {
    guard place != nil else { return }
    hasher.update(bytes)
    size += Int64(bytes.byteCount)
  }

  func end() {
    if let place { plan.add(.file(place, size: size, hasher.finish())) }
  }
}
