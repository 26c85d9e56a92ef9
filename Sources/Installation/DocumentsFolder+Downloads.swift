import ContentPackage
import SafeFiles
import Support
import SystemPackage

/// What was received of a package before its installation ended early: the files in staging are kept, and the next try
/// takes from there what it finds to be right.
extension DocumentsFolder {
  /// Notes that what is staged from now on is worth keeping if the installation ends early, and what it belongs to.
  func announceDownload(_ note: [UInt8], of product: ProductIdentifier) throws(FileError) {
    if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
    var file = try workFolder.createFile(Name.download)
    let text = Array(product.text.utf8) + [UInt8(ascii: "\n")] + note
    try file.write(unsafe text.span.bytes)  // any UInt8 is a byte
    // After a power cut nothing is kept without it.
    if access.isDurable { try file.synchronize() }
    try file.close()
    try synchronize(workFolder)
  }

  /// Keeps what is staged, if a note says that it is worth it: beside what earlier tries have kept.
  ///
  /// - Returns: the product it belongs to, after which nothing is staged any more; nil if nothing was kept.
  func keepDownload() throws -> ProductIdentifier? {
    guard try workFolder.status(of: Name.download) != nil else { return nil }
    let text = try workFolder.openFile(Name.download).bytes(at: 0, count: InstalledProducts.longestNote)
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let product = ProductIdentifier(String(decoding: line, as: UTF8.self))
    guard let product, try workFolder.status(of: Name.staging)?.kind == .folder else {
      // The note was not finished, there is nothing to keep, or it was kept and only the note was not.
      if let product, let folder = try openFolder(Name.downloads, of: product) {
        try workFolder.rename(Name.download, to: DownloadName.note, in: folder, mode: .replace)
      } else {
        try workFolder.remove(Name.download)
      }
      return nil
    }
    let folder = try makeFolder(Name.downloads, of: product)
    if try folder.status(of: DownloadName.content) == nil {
      try workFolder.move(Name.staging, to: DownloadName.content, in: folder)
    } else {
      try merge(workFolder.openFolder(Name.staging), into: folder.openFolder(DownloadName.content))
      try removeTreeIfAny(Name.staging, in: workFolder)
    }
    try workFolder.rename(Name.download, to: DownloadName.note, in: folder, mode: .replace)
    return product
  }

  /// Takes over the files of a folder that the other does not have, or has less of, and what is of another kind than there:
  /// it belongs to the release that was asked for last.
  ///
  /// - Throws: `FileError`, `Interruption` once the time to clean up is over; the next run does the rest.
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
      case (.file, nil): try folder.rename(name, to: name, in: other, mode: .replace)
      case (.file, .file) where status.size > present?.size ?? 0:
        try folder.rename(name, to: name, in: other, mode: .replace)
      default: break
      }
    }
  }

  /// Forgets a download that is installed. What goes wrong with that can be done by the next run as well.
  func finishDownload(of product: ProductIdentifier) {
    do {
      if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
      try removeDownload(of: product)
    } catch {
      access.report(.postponed(error))
    }
  }

  /// Deletes what was kept of a download.
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
  /// Packed bytes of entries that were received in part.
  static let packed = "packed".utf8
}
