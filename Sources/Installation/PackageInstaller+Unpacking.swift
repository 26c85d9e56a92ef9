import ContentPackage
import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// What is to be unpacked.
  struct Unpacking {
    let version: ContentVersion
    /// What messages call the package.
    let name: String
    /// The folder in staging that the content goes into, beside a link to it; nil for staging itself.
    var contentFolder: EntryPath?
    /// What is to be written; the rest is only checked. Nil for everything.
    var wanted: SortedPaths?
    /// Whether staging gets a mark for backups.
    var isMarked = false
    /// What is kept of the download that the package is received by; nil if it is not.
    var download: DownloadKeeping?
  }

  /// Checks the content of a package and takes its digests in one pass, and writes it into `tree` if there is one.
  ///
  /// - Returns: what is installed of it; nil if it is not accepted.
  /// - Throws: `FileError`, `SourceError`, `Interruption`.
  func readContent(
    _ content: PackageContent, of review: inout ContentReview, _ unpacking: Unpacking,
    spoolFolder: String = FileSystem.temporaryFolder, into tree: StagingTree? = nil
  ) throws -> InstalledVersion? {
    let files = ReceivedFiles(of: review)
    let pass = pass(spoolFolder: spoolFolder)
    review.add(
      try pass.run(on: review, tree == nil ? .checking : .installing, unpacking.name) {
        StagingReceiver(into: tree, noting: files)
      })
    guard accepts(review.findings) else { return nil }
    return try InstalledVersion(
      contentVersion: unpacking.version, items: files.items(of: review, with: content))
  }

  /// Checks the content of a package and writes it into staging, in one pass; if anything is wrong with it, staging goes.
  ///
  /// - Returns: what the package installs; nil if it is not accepted. What was staged is then on stable storage.
  /// - Throws: `FileError`, `InstallationError`, `SourceError`, `Interruption`.
  func unpack(
    _ review: inout ContentReview, _ unpacking: Unpacking, in folder: borrowing DocumentsFolder
  ) throws -> InstalledVersion? {
    let content = PackageContent(of: review)
    if unpacking.wanted == nil {
      let spare = try folder.checkRoom(for: content, moving: review.source.movedBytes)
      if let product = review.productIdentifier {
        try unpacking.download?.packedParts.open(in: folder.workFolder.reopened(), of: product, room: spare)
      }
    }
    defer { unpacking.download?.packedParts.close() }
    do {
      let staged = try stage(content, of: &review, unpacking, in: folder)
      if staged == nil { try folder.discardStaging() }
      return staged
    } catch {
      folder.reserve.release()
      try? folder.discardStaging(isWorthKeeping: true)  // the first error is the one to tell
      throw error
    }
  }

  private func stage(
    _ content: PackageContent, of review: inout ContentReview, _ unpacking: Unpacking,
    in folder: borrowing DocumentsFolder
  ) throws -> InstalledVersion? {
    if let download = unpacking.download, let product = review.productIdentifier {
      try folder.announceDownload(download.note, of: product)
    }
    let tree = try StagingTree(
      folder.makeStaging(), contentFolder: unpacking.contentFolder, wanted: unpacking.wanted)
    try tree.makeFolders(content.folders)
    let read = try readContent(
      content, of: &review, unpacking, spoolFolder: folder.spoolFolder, into: tree)
    guard var read else { return nil }
    try tree.makeLinks(content.links)
    try tree.finish(marked: unpacking.isMarked)
    var file: EntryPath?
    try read.items.forEach { item in
      if file == nil, tree.wants(item.path), item.permissions == InstalledItem.filePermissions {
        file = item.path
      }
    }
    read.keepsPermissions = try tree.keepsPermissions(of: file)
    try folder.synchronizeStaging()
    return read
  }
}
