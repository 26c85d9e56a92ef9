import Delivery
import Testing

extension Workspace {
  /// Returns the catalog of a store.
  func catalog(_ store: String = "store") throws -> Catalog {
    try Catalog(payload: CatalogEnvelope(bytes: bytes("\(store)/catalog.json")).payload)
  }

  /// Changes the catalog of a store, which loses its signature.
  func forgeCatalog(_ store: String = "store", _ change: (inout Catalog) throws -> Void) throws {
    var catalog = try catalog(store)
    try change(&catalog)
    try write(
      CatalogEnvelope(payload: catalog.payload, signature: nil).bytes, to: "\(store)/catalog.json")
  }
}
