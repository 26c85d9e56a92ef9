package import ContentPackage
package import Installation

extension ProductOrigin {
  /// Returns the recorded origin of a product; nil if the product was not fetched.
  ///
  /// - Throws: `FetchError.originUnreadable`, `FileError`, `InstallationError`, `DocumentsBusy`, `Interruption`.
  package static func of(_ product: ProductIdentifier, in access: DocumentsAccess) throws -> ProductOrigin? {
    guard let note = try InstalledProducts(access).origin(of: product) else { return nil }
    guard let origin = try? ProductOrigin(bytes: note) else { throw FetchError.originUnreadable(product) }
    return origin
  }

  /// Returns the named products, which must be installed. Without names, returns all fetched products, or with
  /// `includingOthers` all installed products.
  ///
  /// - Throws: `InstallationError.notInstalled`, `FetchError.unfinished` if the first download of a named product was
  ///   interrupted, `RecordUnreadable`, and the errors of `of(_:in:)`.
  package static func products(
    _ names: [ProductIdentifier], in access: DocumentsAccess, includingOthers: Bool = false
  ) throws -> [ProductIdentifier] {
    let products = InstalledProducts(access)
    let installed: [ProductIdentifier]
    do {
      installed = try products.identifiers(of: names)
    } catch InstallationError.notInstalled(let product, let path) {
      let isBegun: (FetchError) -> Bool = {
        if case .unfinished(product, _, _, _) = $0 { true } else { false }
      }
      if let error = try UnfinishedDownload.ofNew(in: access).first(where: isBegun) { throw error }
      throw InstallationError.notInstalled(product, path: path)
    }
    guard names.isEmpty, !includingOthers else { return installed }
    return try installed.filter { try products.origin(of: $0) != nil }
  }
}

extension ProductOrigin {
  /// Returns the stores recorded in a `Documents` folder, regardless of its state. Omits unreadable records.
  package static func stores(notedIn documents: String) -> [String] {
    let notes = (try? InstalledProducts.originNotes(in: documents)) ?? []
    return notes.compactMap { (try? ProductOrigin(bytes: $0))?.store }
  }
}
