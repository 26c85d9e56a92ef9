package import ContentPackage
package import SafeFiles
import ZipArchive

/// Interrupted downloads.
extension InstalledProducts {
  /// The maximum size of a note on a product or a download, in bytes.
  package static let maximumNoteSize = 64 << 10

  /// A folder of received files.
  package struct ReceivedTree: Sendable {
    /// The folder.
    package let tree: FileTree
    /// The regular files in the folder and its subfolders, sorted by the bytes of their paths.
    package let files: [FileTree.Item]

    fileprivate init(_ folder: consuming DirectoryHandle) throws(FileError) {
      tree = FileTree(root: folder)
      files = try tree.items().filter { $0.status.kind == .file }
    }
  }

  /// The kept part of an interrupted download.
  package struct Download: Sendable {
    /// The product.
    package let productIdentifier: ProductIdentifier
    /// The note written when the download began.
    package let note: [UInt8]
    /// The received files, complete or partial.
    package let content: ReceivedTree
    /// The files of kept parts: files of the release, or consecutive chunks of one file; nil if there are none.
    package let parts: ReceivedTree?
    /// Compressed bytes of partially received entries, under the names passed to `PackedParts`; nil if there are none.
    package let packed: FileTree?
  }

  /// Returns all interrupted downloads, or the download of one product. Recovers from interrupted runs first, with
  /// `onlyReading` as far as permissions allow.
  ///
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func downloads(of product: ProductIdentifier? = nil, onlyReading: Bool = false) throws -> [Download]
  {
    let found = try DocumentsFolder.withLock(access, for: onlyReading ? .reading : .changing) {
      folder -> [Download] in
      guard try folder.workFolder.status(of: DocumentsFolder.Name.downloads) != nil else { return [] }
      let downloads = try folder.workFolder.openFolder(DocumentsFolder.Name.downloads)
      return try downloads.list().compactMap { name in
        guard let identifier = ProductIdentifier(String(decoding: name, as: UTF8.self)),
          product == nil || product == identifier
        else { return nil }
        guard try downloads.status(of: name)?.kind == .folder else { return nil }
        let folder = try downloads.openFolder(name)
        guard try folder.status(of: DownloadName.content) != nil else { return nil }
        let hasNote = try folder.status(of: DownloadName.note)?.kind == .file
        let text =
          hasNote ? try folder.openFile(DownloadName.note).bytes(at: 0, count: Self.maximumNoteSize) : []
        let hasParts = try folder.status(of: DownloadName.parts)?.kind == .folder
        let hasPacked = try folder.status(of: DownloadName.packed)?.kind == .folder
        return Download(
          productIdentifier: identifier, note: Array(text.drop { $0 != UInt8(ascii: "\n") }.dropFirst()),
          content: try ReceivedTree(folder.openFolder(DownloadName.content)),
          parts: hasParts ? try ReceivedTree(folder.openFolder(DownloadName.parts)) : nil,
          packed: hasPacked ? FileTree(root: try folder.openFolder(DownloadName.packed)) : nil)
      }
    }
    return found ?? []
  }

  /// Deletes the kept download of a product.
  ///
  /// - Returns: Whether there was a download.
  /// - Throws: The errors of `downloads(of:)`.
  @discardableResult
  package func discardDownload(of product: ProductIdentifier) throws -> Bool {
    let existed = try DocumentsFolder.withLock(access, for: .changing) { folder -> Bool in
      let exists =
        try folder.openFolder(DocumentsFolder.Name.downloads, of: product) != nil
      try folder.removeDownload(of: product)
      return exists
    }
    return existed ?? false
  }
}

extension InstalledProducts.Download {
  /// Returns the total size of the received files, and of the chunks of other received files, that an installed version
  /// also has. The download copied them from that version.
  ///
  /// - Throws: `SourceError` if the items of a version, or a file, cannot be read; `FileError`; `Interruption`.
  package func copiedBytes(from contents: [InstalledContent], in context: WorkContext) throws -> Int64 {
    var digests: [Int64: [ContentDigest]] = [:]
    for content in contents {
      try content.version.items.forEach { item in
        if case .file(let size, let digest) = item.kind { digests[size, default: []].append(digest) }
      }
    }
    let hasher = ContentHasher(contents.first?.version.items.algorithm ?? .standard)
    var copied: Int64 = 0
    let others = try content.files.filter { file in
      guard file.status.size > 0 else { return false }
      guard let known = digests[file.status.size], let input = try? content.tree.openFile(file.relativePath),
        known.contains(try hasher.digest(of: input, in: context))
      else { return true }
      copied += file.status.size
      return false
    }
    return try copied + (others.isEmpty ? 0 : bytesOfChunks(of: contents, in: others, context))
  }

  /// Returns the total size of the chunks of `files` that large installed files have too.
  private func bytesOfChunks(
    of contents: [InstalledContent], in files: [FileTree.Item], _ context: WorkContext
  ) throws -> Int64 {
    var installed: Set<ChunkDigest> = []
    for content in contents {
      try content.version.items.forEach { item in
        guard case .file(let size, _) = item.kind, size >= ChunkCutter.minimumFileSize,
          let input = try? content.tree.openFile(item.path.bytes)
        else { return }
        try input.forEachChunk(context) { installed.insert($1) }
      }
    }
    guard !installed.isEmpty else { return 0 }
    var copied: Int64 = 0
    for file in files {
      try content.tree.openFile(file.relativePath).forEachChunk(context) { size, digest in
        if installed.contains(digest) { copied += Int64(size) }
      }
    }
    return copied
  }
}
