import ContentPackage
import SafeFiles
import SystemPackage
import ZipArchive

/// Records the sizes and digests of a package's files during the check, and writes the files into a staging tree if
/// there is one. Must stay on one thread.
final class StagingReceiver: ContentReceiver {
  private let tree: StagingTree?
  private let files: ReceivedFiles
  private let hasher: ContentHasher
  /// The digest of the current file; nil if the hasher computes it.
  private var verifiedDigest: ContentDigest?
  /// The current file and its received size, in bytes; the path is nil if the file is not installed.
  private var path: EntryPath?
  private var size: Int64 = 0
  /// The index of the current item.
  private var index = 0
  /// The folder of the last file: files arrive sorted, so most share it.
  private var folder: OpenFolder?
  /// Whether the current file is written to the staging tree.
  private var isWanted = false
  /// The file being written; nil until the first write.
  private var output: OutputFile?
  /// The number of leading bytes that were moved or copied into place and are not written again.
  private var placed: Int64 = 0

  private final class OpenFolder {
    /// The path of the folder; nil for the folder of the content.
    let path: EntryPath?
    let handle: DirectoryHandle

    init(path: EntryPath?, handle: consuming DirectoryHandle) {
      self.path = path
      self.handle = handle
    }
  }

  init(into tree: StagingTree?, noting files: ReceivedFiles) {
    self.tree = tree
    self.files = files
    hasher = ContentHasher(files.algorithm)
  }

  func begin(_ item: ContentItem) throws {
    output = nil
    hasher.restart()
    verifiedDigest = files.verifiedDigest(of: item)
    (size, placed) = (0, 0)
    index = item.index
    path = PackageContent.path(of: item)
    isWanted = false
    guard let tree, let path, tree.wants(path) else { return }
    if folder == nil || folder?.path != path.parent {
      folder = OpenFolder(path: path.parent, handle: try tree.folder(at: path.parent))
    }
    isWanted = true
  }

  func place(_ present: PresentFile) throws -> InputFile? {
    guard isWanted, let path, let tree, let folder else { return nil }
    placed = present.byteCount
    if try move(present, to: path.name, in: folder.handle) { return present.file }
    try tree.copy(present, to: path.name, in: folder.handle)
    return try folder.handle.openFile(path.name)
  }

  /// Moves a file into place.
  ///
  /// - Returns: False if the file cannot be moved and must be copied.
  private func move(
    _ present: PresentFile, to name: some Collection<UInt8>, in folder: borrowing DirectoryHandle
  ) throws -> Bool {
    // Appending to a file with other hard links would change those too.
    guard let place = present.place, present.file.status.linkCount == 1 else { return false }
    do throws(FileError) {
      try place.tree.moveFile(place.path, to: name, in: folder)
    } catch {
      guard error.errno == .improperLink else { throw error }
      return false
    }
    try present.file.setPermissions(InstalledItem.filePermissions)
    return true
  }

  func receive(_ bytes: RawSpan) throws {
    guard path != nil else { return }
    if verifiedDigest == nil { hasher.update(bytes) }
    let known = Int(min(Int64(bytes.byteCount), max(0, placed - size)))
    size += Int64(bytes.byteCount)
    guard isWanted, known < bytes.byteCount else { return }
    try openOutput()
    try output?.write(bytes.extracting(droppingFirst: known))
  }

  private func openOutput() throws {
    guard output == nil, let path else { return }
    output =
      try placed > 0
      ? folder?.handle.openFile(path.name, toWriteAfter: placed)
      : folder?.handle.createFile(path.name, permissions: InstalledItem.filePermissions)
  }

  func end() throws {
    if isWanted, placed == 0 { try openOutput() }
    try output.take()?.close()
    if path != nil { files.note(index, size: size, verifiedDigest ?? hasher.finish()) }
  }

  func discard() throws {
    output = nil
    guard isWanted, let path, try folder?.handle.status(of: path.name) != nil else { return }
    try folder?.handle.remove(path.name)
  }

  /// Returns the written file, so that it need not be decoded a second time.
  func received() throws -> (any ByteSource)? {
    guard isWanted, let path else { return nil }
    return try folder?.handle.openFile(path.name)
  }
}
