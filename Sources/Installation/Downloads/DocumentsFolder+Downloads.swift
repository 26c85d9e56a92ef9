import ContentPackage
import SafeFiles
import Support
import SystemPackage

/// The received part of a package whose installation ended early. Its staged files are kept, and the next attempt
/// reuses those that it can verify.
extension DocumentsFolder {
  /// Records that staging belongs to a download, to be kept if the installation ends early.
  func writeDownloadNote(_ note: [UInt8], of product: ProductIdentifier) throws(FileError) {
    if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
    var file = try workFolder.createFile(Name.download, permissions: InstalledItem.filePermissions)
    let text = Array(product.text.utf8) + [UInt8(ascii: "\n")] + note
    try file.write(unsafe text.borrowedSpan.bytes)  // UInt8 has no padding
    // Without this, a power failure would lose the download.
    if access.isDurable { try file.synchronize() }
    try file.close()
    try synchronize(workFolder)
  }

  /// Moves staging to the kept downloads if a note marks it as a download, and merges it with earlier attempts.
  ///
  /// - Returns: The product of the download, after which staging is empty; nil if nothing was kept.
  func keepDownload() throws -> ProductIdentifier? {
    guard try workFolder.status(of: Name.download) != nil else { return nil }
    let text = try workFolder.openFile(Name.download).bytes(at: 0, count: InstalledProducts.maximumNoteSize)
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let product = ProductIdentifier(String(decoding: line, as: UTF8.self))
    guard let product, try workFolder.status(of: Name.staging)?.kind == .folder else {
      // The note is incomplete, staging is missing, or an interrupted run moved staging but not the note.
      if let product, let folder = try openFolder(Name.downloads, of: product) {
        try workFolder.rename(Name.download, to: DownloadName.note, in: folder, mode: .replace)
      } else {
        try workFolder.remove(Name.download)
      }
      return nil
    }
    let folder = try makeDownload(of: product)
    if try folder.status(of: DownloadName.content) == nil {
      try workFolder.move(Name.staging, to: DownloadName.content, in: folder)
    } else {
      try merge(workFolder.openFolder(Name.staging), into: folder.openFolder(DownloadName.content))
      try removeTreeIfAny(Name.staging, in: workFolder)
    }
    try workFolder.rename(Name.download, to: DownloadName.note, in: folder, mode: .replace)
    return product
  }

  /// Opens the folder of the download of a product, and creates it if it is missing. Excludes it from backups where the
  /// system has an attribute for that.
  func makeDownload(of product: ProductIdentifier) throws(FileError) -> DirectoryHandle {
    let folder = try makeFolder(Name.downloads, of: product)
    if DirectoryHandle.hasBackupMark {
      // A copy in a backup does no harm.
      try? folder.excludeFromBackup()
    }
    return folder
  }

  /// Moves the files that are missing or shorter in `other`. A folder or file replaces an item of another kind, because
  /// the newer item belongs to the release requested last.
  ///
  /// - Throws: `FileError`, or `Interruption` once the time for cleanup is over; the next run completes the merge.
  private func merge(
    _ folder: borrowing DirectoryHandle, into other: borrowing DirectoryHandle
  ) throws {
    for name in try folder.list() {
      if access.context.cancellation.isCleanupOverdue { throw Interruption() }
      guard let status = try folder.status(of: name) else { continue }
      let present = try other.status(of: name)
      switch (status.kind, present?.kind) {
      case (.folder, let kind):
        if let kind, kind != .folder { try other.remove(name) }
        try merge(folder.openFolder(name), into: other.openOrMakeFolder(name))
      case (.file, .folder):
        try removeTreeIfAny(name, in: other)
        try folder.rename(name, to: name, in: other, mode: .replace)
      case (.file, .file) where status.size <= present?.size ?? 0: break
      case (.file, _): try folder.rename(name, to: name, in: other, mode: .replace)
      default: break
      }
    }
  }

  /// Deletes the download of an installed product. Errors are only reported, because the next run can delete it too.
  func finishDownload(of product: ProductIdentifier) {
    do {
      if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
      try removeDownload(of: product)
    } catch {
      access.report(.postponed(error))
    }
  }

  /// Deletes the kept download of a product.
  func removeDownload(of product: ProductIdentifier) throws {
    let name = Array(product.text.utf8)
    guard try workFolder.status(of: Name.downloads) != nil else { return }
    let downloads = try workFolder.openFolder(Name.downloads)
    if try downloads.status(of: name) != nil { try discard(name, in: downloads) }
  }
}

/// The names in the folder of a download.
enum DownloadName {
  static let content = "content".utf8
  static let note = "note".utf8
  /// Compressed bytes of partially received entries.
  static let packed = "packed".utf8
  /// The plan of a download in parts, and the index of its release.
  static let plan = "plan".utf8
  static let index = "index".utf8
  /// A folder for each kept part.
  static let parts = "parts".utf8
  /// The part that is being kept; no part has a name with a dot.
  static let unfinishedPart = ".new".utf8
}
