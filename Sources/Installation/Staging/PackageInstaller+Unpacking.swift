import ContentPackage
import SafeFiles
import ZipArchive

extension PackageInstaller {
  /// The parameters of unpacking a package.
  struct Unpacking {
    let version: ContentVersion
    /// The algorithm of the digests of the product's record.
    let algorithm: DigestAlgorithm
    /// The name of the package in messages.
    let name: String
    /// The folder in staging for the content, with a link to it beside it; nil for staging itself.
    var contentFolder: EntryPath?
    /// The paths to write; all others are only checked. Nil for all.
    var wanted: SortedPaths?
    /// Whether staging gets a backup mark.
    var isMarked = false
    /// The data to keep of the download that delivers the package; nil without a download.
    var download: DownloadKeeping?
  }

  /// Checks the content of a package and computes its digests in one pass, and writes it into `tree` if that is not
  /// nil.
  ///
  /// - Returns: The version; nil if the package is not accepted.
  /// - Throws: `FileError`, `SourceError`, `Interruption`.
  func readContent(
    _ content: PackageContent, of review: inout ContentReview, _ unpacking: Unpacking,
    spoolFolder: String = FileSystem.temporaryFolder, into tree: StagingTree? = nil
  ) throws -> InstalledVersion? {
    let files = ReceivedFiles(of: review, unpacking.algorithm)
    let pass = pass(spoolFolder: spoolFolder)
    review.add(
      try pass.run(on: review, tree == nil ? .checking : .installing, unpacking.name) {
        StagingReceiver(into: tree, noting: files)
      })
    guard accepts(review.findings) else { return nil }
    return try InstalledVersion(
      contentVersion: unpacking.version, items: files.items(of: review, with: content))
  }

  /// Checks the content of a package and writes it into staging, in one pass. After a failure, staging is deleted, or
  /// kept as the received part of a download.
  ///
  /// - Returns: The version, with staging on stable storage; nil if the package is not accepted.
  /// - Throws: `FileError`, `InstallationError`, `SourceError`, `Interruption`.
  func unpack(
    _ review: inout ContentReview, _ unpacking: Unpacking, in folder: borrowing DocumentsFolder
  ) throws -> InstalledVersion? {
    try folder.checkNames(of: review)
    let content = PackageContent(of: review)
    if unpacking.wanted == nil {
      let spare = try folder.checkFreeSpace(for: content, moving: review.source.movedBytes)
      if let product = review.productIdentifier {
        try unpacking.download?.packedParts.open(
          in: folder.workFolder.reopened(), of: product, freeByteCount: spare)
      }
    }
    defer { unpacking.download?.packedParts.close() }
    do {
      let staged = try stage(content, of: &review, unpacking, in: folder)
      if staged == nil { try folder.discardStaging() }
      return staged
    } catch {
      folder.reserve.release()
      try? folder.discardStaging(isWorthKeeping: true)  // the first error is the one to report
      throw error
    }
  }

  private func stage(
    _ content: PackageContent, of review: inout ContentReview, _ unpacking: Unpacking,
    in folder: borrowing DocumentsFolder
  ) throws -> InstalledVersion? {
    if let download = unpacking.download, let product = review.productIdentifier {
      try folder.writeDownloadNote(download.note, of: product)
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
