package import ContentPackage
package import SafeFiles

/// The indexes of products, deleted with the products. This library does not interpret them.
///
/// They only save downloads, so an item of another kind in their place is ignored, and never deleted.
extension InstalledProducts {
  /// Opens the index that was kept with a product; nil if there is none.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func index(of product: ProductIdentifier) throws -> InputFile? {
    let index = try DocumentsFolder.withLock(access, for: .reading) { $0.index(of: product) }
    return index ?? nil
  }
}

extension DocumentsFolder {
  func index(of product: ProductIdentifier) -> InputFile? {
    do throws(FileError) {
      guard let indexes = try openIndexes() else { return nil }
      return try indexes.openFile(product.text.utf8)
    } catch {
      return nil
    }
  }

  /// Replaces the index of a product. Best effort: after an error, the next update requests missing pages again.
  func keep(index: [any ByteSource], of product: ProductIdentifier) {
    let name = product.text.utf8
    do {
      if try workFolder.status(of: Name.indexes) == nil { _ = try workFolder.openOrMakeFolder(Name.indexes) }
      guard let indexes = try openIndexes(), try indexes.status(of: name)?.kind ?? .file == .file else {
        return
      }
      try write(named: name, in: indexes) { file in
        for part in index { _ = try part.forEachBlock { try file.write($0) } }
      }
    } catch {}
  }

  /// Deletes the index of a product. Best effort.
  func forgetIndex(of product: ProductIdentifier) {
    do throws(FileError) {
      guard let indexes = try openIndexes(), try indexes.status(of: product.text.utf8)?.kind == .file else {
        return
      }
      try indexes.remove(product.text.utf8)
      try synchronize(indexes)
    } catch {}
  }

  /// Opens the folder of indexes; nil if it is missing, or if iapkg did not create it.
  private func openIndexes() throws(FileError) -> DirectoryHandle? {
    guard let status = try workFolder.status(of: Name.indexes), status.kind == .folder,
      status.owner == FileSystem.effectiveUser
    else { return nil }
    return try workFolder.openFolder(Name.indexes)
  }
}
