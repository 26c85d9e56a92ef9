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

  /// All downloads that ended early, or that of one product. What interrupted runs have left is put in order first.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func downloads(of product: ProductIdentifier? = nil) throws -> [Download] {
    let found = try DocumentsFolder.withLock(access, for: .changing) { folder -> [Download] in
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
