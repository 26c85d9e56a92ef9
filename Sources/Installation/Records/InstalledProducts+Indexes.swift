package import ContentPackage
package import SafeFiles

/// The indexes of products, deleted with the products. This library does not interpret them.
extension InstalledProducts {
  /// Opens the index that was kept with a product; nil if there is none.
  ///
  /// - Throws: `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package func index(of product: ProductIdentifier) throws -> InputFile? {
    let index = try DocumentsFolder.withLock(access, for: .reading) { try $0.index(of: product) }
    return index ?? nil
  }
}

extension DocumentsFolder {
  func index(of product: ProductIdentifier) throws -> InputFile? {
    guard try workFolder.status(of: Name.indexes) != nil else { return nil }
    let indexes = try workFolder.openFolder(Name.indexes)
    guard try indexes.status(of: product.text.utf8) != nil else { return nil }
    return try indexes.openFile(product.text.utf8)
  }

  /// Replaces the index of a product. Best effort: after an error, the next update requests missing pages again.
  func keep(index: [any ByteSource], of product: ProductIdentifier) {
    do {
      let indexes = try workFolder.openOrMakeFolder(Name.indexes)
      try write(named: product.text.utf8, in: indexes) { file in
        for part in index { _ = try part.forEachBlock { try file.write($0) } }
      }
    } catch {}
  }
}
