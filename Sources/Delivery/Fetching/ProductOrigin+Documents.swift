package import ContentPackage
package import Installation

extension ProductOrigin {
  /// What `Documents` remembers of a product; nil if it was not fetched.
  ///
  /// - Throws: `FetchError.originUnreadable`, `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package static func of(_ product: ProductIdentifier, in access: DocumentsAccess) throws -> ProductOrigin? {
    guard let note = try InstalledProducts(access).origin(of: product) else { return nil }
    guard let origin = try? ProductOrigin(bytes: note) else { throw FetchError.originUnreadable(product) }
    return origin
  }

  /// The products that are named, all of which must be installed; without names all that were fetched, and with
  /// `includingOthers` those too that were not.
  ///
  /// - Throws: as `of(_:in:)`, and `RecordUnreadable`.
  package static func products(
    _ names: [ProductIdentifier], in access: DocumentsAccess, includingOthers: Bool = false
  ) throws -> [ProductIdentifier] {
    let products = InstalledProducts(access)
    let installed: [ProductIdentifier]
    do {
      installed = try products.identifiers(of: names)
    } catch InstallationError.notInstalled(let product, let path) {
      let isBegun: (FetchError) -> Bool = { if case .unfinished(product, _) = $0 { true } else { false } }
      if let error = try UnfinishedDownload.ofNew(in: access).first(where: isBegun) { throw error }
      throw InstallationError.notInstalled(product, path: path)
    }
    guard names.isEmpty, !includingOthers else { return installed }
    return try installed.filter { try products.origin(of: $0) != nil }
  }
}

extension ProductOrigin {
  /// The stores that a `Documents` folder remembers, whatever state it is in; what cannot be read is left out.
  package static func stores(notedIn documents: String) -> [String] {
    let notes = (try? InstalledProducts.originNotes(in: documents)) ?? []
    return notes.compactMap { (try? ProductOrigin(bytes: $0))?.store }
  }
}
