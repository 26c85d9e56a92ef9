package import ContentPackage
package import SafeFiles
import SystemPackage

/// Downloads in parts, which another program may receive in any order. This library does not interpret their plans.
extension InstalledProducts {
  /// The plan of a download in parts, and the parts that are kept.
  package struct PartedDownload: Sendable {
    /// The plan, as passed to `beginParts`.
    package let plan: [UInt8]
    /// The index of the release, as in `DownloadKeeping.index`.
    package let index: InputFile
    /// The names of the kept parts.
    package let parts: Set<String>
  }

  /// The maximum size of a plan in bytes.
  package static let maximumPlanSize = 64 << 10

  /// Records the plan of a download in parts, and replaces an earlier plan. The files of kept parts stay.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - note: The note on the download.
  ///   - plan: The plan, at most `maximumPlanSize` bytes.
  ///   - index: The parts of the index of the release.
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func beginParts(
    of product: ProductIdentifier, note: [UInt8], plan: [UInt8], index: [any ByteSource]
  ) throws {
    _ = try DocumentsFolder.withLock(access, for: .installing) { folder in
      let download = try folder.makeDownload(of: product)
      // Removed first, so that no interruption leaves the plan of one release beside the index of another.
      if try download.status(of: DownloadName.plan) != nil {
        try download.remove(DownloadName.plan)
        try folder.synchronize(download)
      }
      try folder.write(named: DownloadName.index, in: download) { file in
        for part in index { _ = try part.forEachBlock { try file.write($0) } }
      }
      try folder.write(
        Array(product.text.utf8) + [UInt8(ascii: "\n")] + note, named: DownloadName.note, in: download)
      _ = try download.openOrMakeFolder(DownloadName.content)
      _ = try download.openOrMakeFolder(DownloadName.parts)
      try folder.write(plan, named: DownloadName.plan, in: download)
    }
  }

  /// Returns the download in parts of a product; nil if there is none.
  ///
  /// - Throws: The errors of `beginParts`.
  package func partedDownload(of product: ProductIdentifier) throws -> PartedDownload? {
    let found = try DocumentsFolder.withLock(access, for: .reading) { folder -> PartedDownload? in
      guard let download = try folder.openFolder(DocumentsFolder.Name.downloads, of: product),
        try download.status(of: DownloadName.plan)?.kind == .file,
        try download.status(of: DownloadName.index)?.kind == .file,
        try download.status(of: DownloadName.parts)?.kind == .folder
      else { return nil }
      return PartedDownload(
        plan: try download.openFile(DownloadName.plan).bytes(at: 0, count: Self.maximumPlanSize),
        index: try download.openFile(DownloadName.index),
        parts: Set(
          try download.openFolder(DownloadName.parts).list().map { String(decoding: $0, as: UTF8.self) }))
    }
    return found ?? nil
  }

  /// Keeps a part. When the function returns, the content is on stable storage, unless the access disables that.
  ///
  /// - Parameters:
  ///   - name: The name of the part, letters and digits.
  ///   - product: The product.
  ///   - write: Verifies the part and writes its content into an empty folder.
  /// - Returns: False if the part was kept already, nil if the download no longer exists; in both cases, `write` is not
  ///   called.
  /// - Throws: The errors of `beginParts` and of `write`; nothing is kept then.
  package func keepPart(
    _ name: String, of product: ProductIdentifier, _ write: (borrowing DirectoryHandle) throws -> Void
  ) throws -> Bool? {
    let isKept = try DocumentsFolder.withLock(access, for: .changing) { folder -> Bool? in
      guard let download = try folder.openFolder(DocumentsFolder.Name.downloads, of: product),
        try download.status(of: DownloadName.parts)?.kind == .folder
      else { return nil }
      let parts = try download.openFolder(DownloadName.parts)
      guard try parts.status(of: name.utf8) == nil else { return false }
      // Left by an interrupted run.
      try folder.removeTreeIfAny(DownloadName.unfinishedPart, in: parts)
      do {
        try write(parts.makeFolder(DownloadName.unfinishedPart, permissions: InstalledItem.folderPermissions))
        if access.isDurable { try parts.synchronizeFileSystem() }
        try parts.move(DownloadName.unfinishedPart, to: name.utf8, in: parts)
        try folder.synchronize(parts)
      } catch {
        // The first error is the one to report.
        try? folder.removeTreeIfAny(DownloadName.unfinishedPart, in: parts)
        throw error
      }
      return true
    }
    return isKept ?? nil
  }

  /// Deletes the files of kept parts, so that they can be received again.
  ///
  /// - Throws: The errors of `beginParts`.
  package func forgetParts(_ names: [String], of product: ProductIdentifier) throws {
    _ = try DocumentsFolder.withLock(access, for: .changing) { folder in
      guard let download = try folder.openFolder(DocumentsFolder.Name.downloads, of: product),
        try download.status(of: DownloadName.parts)?.kind == .folder
      else { return }
      let parts = try download.openFolder(DownloadName.parts)
      for name in names { try folder.removeTreeIfAny(name.utf8, in: parts) }
      try folder.synchronize(parts)
    }
  }
}
