#if COMMAND_LINE_TOOL
package import SafeFiles
import Support
import SystemPackage
package import ZipArchive

/// Writes content into a folder: the files, folders and links that `PackageBuilder` would pack. The umask determines
/// their permissions.
package struct ContentFolderWriter {
  private let context: WorkContext

  /// Creates a writer, which uses the cancellation and progress of `context`.
  package init(_ context: WorkContext) { self.context = context }

  /// Writes reviewed content into a folder at `path`, which appears complete or not at all.
  ///
  /// - Parameters:
  ///   - review: The content, which must not have errors.
  ///   - path: The path of the folder, which must be empty if it exists.
  ///   - destination: Returns the path of an item relative to the folder; nil to omit the item.
  /// - Throws: `InvalidContent` if a finding is an error, `FileError`, `SourceError`, `Interruption`.
  package func write(
    _ review: ContentReview, to path: String, at destination: (EntryPath) -> EntryPath? = { $0 }
  ) throws {
    guard review.isAcceptable else { throw InvalidContent(findings: review.findings) }
    let staged = try StagedFolder.create(at: path, cancellation: context.cancellation)
    try write(review, into: staged.handle, at: destination)
    try context.cancellation.check()
    context.progress.begin(.synchronizing, path)
    try staged.commit()
  }

  /// Writes reviewed content into an open folder.
  ///
  /// - Throws: The same errors as `write(_:to:at:)`.
  package func write(
    _ review: ContentReview, into folder: borrowing DirectoryHandle, at destination: (EntryPath) -> EntryPath?
  ) throws {
    let items = review.items.filtered { $0.isContent || $0.path == PackageLayout.manifest }
    let bytes = SizeRules.contentBytes(of: items)
    if let shortage = try folder.freeSpace().shortage(bytes: bytes, files: Int64(items.count)) {
      throw FileError(.write, folder.path, .noSpace, detail: shortage)
    }
    context.progress.begin(.unpacking, folder.path, totalBytes: bytes)
    let reader = review.source.makeReader()
    var parent: OpenFolder?
    for item in items {
      try context.cancellation.check()
      guard let path = destination(item.path) else { continue }
      if parent == nil || parent?.path != path.parent { parent = try OpenFolder(path.parent, in: folder) }
      try parent.map { parent in
        try review.source.readingVerified { try write(item, as: path.name, in: parent.handle, from: reader) }
      }
    }
  }

  /// The open parent folder of the previous item. Items are sorted, so the next item is usually in the same folder.
  private final class OpenFolder {
    let path: EntryPath?
    let handle: DirectoryHandle

    /// Opens the folder at `path` and creates its missing parts.
    init(_ path: EntryPath?, in root: borrowing DirectoryHandle) throws(FileError) {
      self.path = path
      var folder = try root.reopened()
      for part in path?.parts ?? [] {
        folder =
          try folder.status(of: part) == nil
          ? folder.makeFolder(part)
          : folder.openFolder(part)
      }
      handle = folder
    }
  }

  private func write(
    _ item: ContentItem, as name: some Collection<UInt8>, in folder: borrowing DirectoryHandle,
    from reader: any ContentReader
  ) throws {
    switch item.kind {
    case .folder:
      guard try folder.status(of: name) == nil else { return }
      try folder.makeFolder(name)
    case .link(let target):
      try folder.makeLink(name, target: target ?? [])
    case .file, .special:
      var file = try folder.createFile(name)
      try reader.read(item) { block in
        try context.cancellation.check()
        try file.write(block)
        context.progress.advance(by: Int64(block.byteCount))
      }
      try file.close()
    }
  }
}
#endif
