package import ContentPackage
package import SafeFiles
import ZipArchive

/// The content of an installed version, from which files can be read instead of downloaded.
///
/// The folder stays open, so that files remain readable when the version is replaced. The caller must verify the bytes:
/// the app or the user may have changed the files.
package struct InstalledContent: Sendable {
  /// The version as it was installed.
  package let version: InstalledVersion
  /// The folder of the version.
  package let tree: FileTree
}

extension InstalledProducts {
  /// Returns the existing contents of a product: the version in use and the previous ones.
  ///
  /// - Throws: `FileError`, `SourceError`, `InstallationError`, `DocumentsBusy`, `RecordUnreadable`, `Interruption`.
  package func contents(of product: ProductIdentifier) throws -> [InstalledContent] {
    let contents = try DocumentsFolder.withLock(access, for: .reading) { folder in
      try folder.record(of: product).map { try folder.contents(of: $0) } ?? []
    }
    return contents ?? []
  }

  /// Returns the recorded version in use; nil if none is installed.
  ///
  /// - Throws: The errors of `contents(of:)`.
  package func version(of product: ProductIdentifier) throws -> ContentVersion? {
    let version = try DocumentsFolder.withLock(access, for: .reading) { folder in
      try folder.record(of: product)?.installed?.contentVersion
    }
    return version ?? nil
  }

  /// Returns the path in `Documents` of the content of the version in use: the product's folder, or in the versioned
  /// layout the link in it. Reads the record without locking or recovering the folder, so that it never waits.
  package static func contentPath(of product: ProductIdentifier, in documents: String) -> String {
    let record = try? DirectoryHandle.open(documents).openFolder(DocumentsFolder.workFolderName)
      .openFolder(DocumentsFolder.Name.records).openFile(product.text.utf8)
    let layout = record.flatMap { InstallationRecord.layout(of: product, decoding: $0) }
    guard layout == .versioned else { return product.text }
    return FileSystem.joined(product.text, String(decoding: InstallationLayout.current.bytes, as: UTF8.self))
  }

  /// Returns whether the version in use has all its items, by kind and size; true if none is installed.
  ///
  /// - Throws: The errors of `contents(of:)`.
  package func isComplete(_ product: ProductIdentifier) throws -> Bool {
    let isComplete = try DocumentsFolder.withLock(access, for: .reading) { folder in
      try folder.record(of: product).map {
        try folder.inspect($0, with: folder.quickInspector).isComplete
      } ?? true
    }
    return isComplete ?? true
  }

  /// Returns whether the folder of a recorded product exists.
  ///
  /// - Throws: The errors of `contents(of:)`.
  package func hasFolder(_ product: ProductIdentifier) throws -> Bool {
    let hasFolder = try DocumentsFolder.withLock(access, for: .reading) { folder in
      try folder.root.status(of: product.text.utf8)?.kind == .folder
    }
    return hasFolder ?? false
  }
}

extension DocumentsFolder {
  fileprivate func contents(of record: InstallationRecord) throws -> [InstalledContent] {
    var contents: [InstalledContent] = []
    let product = record.productIdentifier.text.utf8
    if record.layout == .flat, let installed = record.installed, try root.status(of: product)?.kind == .folder
    {
      contents.append(
        InstalledContent(version: installed, tree: FileTree(root: try root.openFolder(product))))
    }
    guard let folder = try openVersions(of: record) else { return contents }
    for version in record.layout == .flat ? record.previous : record.versions {
      let name = version.folderName.bytes
      guard try folder.status(of: name)?.kind == .folder else { continue }
      contents.append(InstalledContent(version: version, tree: FileTree(root: try folder.openFolder(name))))
    }
    return contents
  }
}
