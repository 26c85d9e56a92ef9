import ContentPackage
import Installation
import SafeFiles
import StrictJSON
import Support

// The records of stores.
extension ReleaseFetcher {
  /// Returns the trust rules for a catalog of the store that lists a product.
  func trust(for product: ProductIdentifier) throws -> StoreTrust {
    let store = StoreLocation.identity(of: location)
    let origin = try origin(of: product).map { StoreLocation.identity(of: $0.store) }
    return StoreTrust(
      named: named, record: try record(of: store),
      origin: try origin.flatMap { $0 == store ? nil : try record(of: $0) })
  }

  /// Returns the origin of a product. An unreadable record counts as nil if the caller names the keys.
  private func origin(of product: ProductIdentifier) throws -> ProductOrigin? {
    do {
      return try ifDocumentsExist { try ProductOrigin.of(product, in: access) }
    } catch FetchError.originUnreadable where named != nil {
      return nil
    }
  }

  /// Returns the record of a store. An unreadable record counts as nil if the caller names the keys.
  private func record(of store: String) throws -> StoreRecord? {
    let note = try ifDocumentsExist {
      try InstalledProducts(access).storeNote(
        named: StoreRecord.name(of: store), migration: StoreRecord.migrating)
    }
    do throws(DocumentError) {
      return try note.map { (note) throws(DocumentError) in try StoreRecord(bytes: note) }
    } catch {
      guard named != nil else { throw FetchError.storeUnreadable(store: store) }
      return nil
    }
  }

  /// Records a catalog before anything is downloaded. Errors of the folder are only reported: a user without write
  /// access can still query the store.
  ///
  /// Named keys are recorded even in a missing folder: otherwise the next fetch, without keys, would accept any signer.
  func remember(_ note: StoreNote) throws {
    try recording {
      try ifDocumentsExist { try InstalledProducts(access).note(store: note, makingFolder: named != nil) }
    }
  }

  /// Performs `record`, and only reports errors of the folder.
  func recording(_ record: () throws -> Void) throws {
    do {
      try record()
    } catch {
      switch error {
      case is FileError, is SourceError, is InstallationError, is RecordUnreadable, is DocumentsBusy:
        unrecorded?.report(error)
      default: throw error
      }
    }
  }
}
