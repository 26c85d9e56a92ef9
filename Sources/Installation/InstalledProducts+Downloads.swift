package import ContentPackage
package import SafeFiles

/// Downloads that ended early.
extension InstalledProducts {
  /// The most bytes of a note on a product or a download.
  package static let longestNote = 64 << 10

  /// What was kept of a download.
  package struct Download: Sendable {
    package let productIdentifier: ProductIdentifier
    /// What was noted when it began.
    package let note: [UInt8]
    /// The files that were received, whole or in part.
    package let tree: FileTree
    package let files: [FileTree.Item]
    /// Packed bytes of entries that were received in part, by the names that `PackedParts` was given; nil if there are none.
    package let packed: FileTree?
  }

  /// All downloads that ended early, or that of one product. Leftovers of interrupted runs are put in order first,
  /// with `onlyReading` as far as the user may.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
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
        let tree = FileTree(root: try folder.openFolder(DownloadName.content))
        let hasNote = try folder.status(of: DownloadName.note)?.kind == .file
        let text =
          hasNote ? try folder.openFile(DownloadName.note).bytes(at: 0, count: Self.longestNote) : []
        let hasPacked = try folder.status(of: DownloadName.packed)?.kind == .folder
        return Download(
          productIdentifier: identifier, note: Array(text.drop { $0 != UInt8(ascii: "\n") }.dropFirst()),
          tree: tree, files: try tree.items().filter { $0.status.kind == .file },
          packed: hasPacked ? FileTree(root: try folder.openFolder(DownloadName.packed)) : nil)
      }
    }
    return found ?? []
  }

  /// Deletes what was kept of a download.
  ///
  /// - Returns: whether there was any.
  /// - Throws: as `downloads(of:)`.
  @discardableResult
  package func discardDownload(of product: ProductIdentifier) throws -> Bool {
    let wasThere = try DocumentsFolder.withLock(access, for: .changing) { folder -> Bool in
      let isThere =
        try folder.openFolder(DocumentsFolder.Name.downloads, of: product) != nil
      try folder.removeDownload(of: product)
      return isThere
    }
    return wasThere ?? false
  }
}

extension InstalledProducts.Download {
  /// Bytes of the files that an installed version has too, from which they were copied.
  ///
  /// - Throws: `SourceError` if what is known of a version cannot be read, `Interruption`.
  package func copiedBytes(from contents: [InstalledContent], in context: WorkContext) throws -> Int64 {
    var digests: [Int64: [ContentDigest]] = [:]
    for content in contents {
      try content.version.items.forEach { item in
        if case .file(let size, let digest) = item.kind { digests[size, default: []].append(digest) }
      }
    }
    let hasher = ContentHasher()
    return try files.reduce(0) { sum, file in
      guard file.status.size > 0, let known = digests[file.status.size],
        let input = try? tree.openFile(file.relativePath),
        known.contains(try hasher.digest(of: input, in: context))
      else { return sum }
      return sum + file.status.size
    }
  }
}
